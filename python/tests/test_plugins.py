"""Plugins that are Python classes, and resource providers."""

import copy
import itertools
import zipfile

import kinetree
import kinetree.batch
import numpy as np
import pytest

NAMES = itertools.count()

ARM = """
<mujoco>
  <extension><plugin plugin="{name}"/></extension>
  <worldbody><body><joint name="j"/><geom size="0.1"/></body></worldbody>
  <actuator><plugin joint="j" plugin="{name}" {extra}><config key="gain" value="4"/></plugin></actuator>
</mujoco>
"""


def register(**members):
    """A new actuator class under a name of its own."""
    base = {
        "name": f"test.plugin{next(NAMES)}", "capabilities": ["actuator"], "attributes": {"gain": 1.0},
        "__init__": lambda self, config: setattr(self, "gain", config["gain"]),
        "actuator_force": lambda self, m, d, i, state: self.gain * d.ctrl[i],
    }
    cls = type("Plugin", (), {**base, **members})
    kinetree.register_plugin(cls)
    return cls


def load(cls, extra=""):
    """An arm that a plugin drives."""
    return kinetree.MjModel.from_xml_string(ARM.format(name=cls.name, extra=extra))


def test_first_party_plugins_are_listed():
    """All plugins are listed with their attributes."""
    listed = {name: (capabilities, [a[0] for a in attributes]) for name, capabilities, attributes in kinetree.plugins()}
    assert listed["mujoco.pid"] == (["actuator"], ["kp", "ki", "kd", "imax", "slewmax"])
    assert listed["mujoco.sdf.torus"] == (["sdf"], ["radius1", "radius2"])


def test_an_actuator_with_state():
    """Forces and states of an actuator in Python."""

    def advance(self, m, d, state):
        state[0] += m.opt.timestep

    cls = register(state_size=staticmethod(lambda config: 2), reset=lambda self, state: state.__setitem__(1, 7.0), advance=advance,
                   actuator_force=lambda self, m, d, i, state: self.gain * d.ctrl[i] + state[0])
    m = load(cls)
    d = kinetree.MjData(m)
    assert list(d.plugin_state) == [0, 7]
    d.ctrl[0] = 0.5
    kinetree.mj_step(m, d, 10)
    assert np.allclose(d.plugin_state, [10 * m.opt.timestep, 7])
    kinetree.mj_forward(m, d)
    assert np.allclose(d.actuator_force, 2 + 10 * m.opt.timestep)
    twin = copy.copy(d)
    kinetree.mj_step(m, d)
    kinetree.mj_step(m, twin)
    assert np.array_equal(d.qpos, twin.qpos) and np.array_equal(d.plugin_state, twin.plugin_state)


def test_failures_are_named():
    """What a plugin raises is an error with its name, and the world goes on without the cause."""

    def force(self, m, d, i, state):
        if d.ctrl[i] > 2:
            return float("nan")
        if d.ctrl[i] > 1:
            return state[5]
        if d.ctrl[i] > 0:
            raise ValueError("the motor is on fire")
        return 0.0

    m = load(register(actuator_force=force))
    d = kinetree.MjData(m)
    for ctrl, message in [(0.5, "ValueError: the motor is on fire"), (1.5, "IndexError"), (2.5, "not finite")]:
        d.ctrl[0] = ctrl
        with pytest.raises(kinetree.FatalError, match=message):
            kinetree.mj_step(m, d)
        with pytest.raises(kinetree.FatalError, match="plugin 'test.plugin"):
            kinetree.mj_step(m, d)
    d.ctrl[0] = 0
    kinetree.mj_step(m, d)
    assert d.time > 0


def test_sizes_cannot_be_negative():
    """A negative size is an error when the model is loaded."""
    with pytest.raises(ValueError, match="a size cannot be negative"):
        load(register(state_size=staticmethod(lambda config: -3)))


def test_a_field():
    """A ball as a distance field."""
    cls = register(capabilities=["sdf"], attributes={"radius": 0.3},
                   __init__=lambda self, config: setattr(self, "radius", config["radius"]),
                   sdf_aabb=lambda self: [0, 0, 0, 0.4, 0.4, 0.4],
                   sdf_distance=lambda self, p: float(np.linalg.norm(p)) - self.radius)
    m = kinetree.MjModel.from_xml_string(f"""<mujoco>
      <extension><plugin plugin="{cls.name}"><instance name="f"><config key="radius" value="0.35"/></instance></plugin></extension>
      <asset><mesh name="m" builtin="sphere" params="3" scale="0.35 0.35 0.35"/></asset>
      <worldbody><geom type="sdf" mesh="m"><plugin instance="f"/></geom>
        <body pos="0 0 0.44"><freejoint/><geom size="0.1"/></body></worldbody></mujoco>""")
    d = kinetree.MjData(m)
    kinetree.mj_forward(m, d)
    assert d.ncon > 0 and all(c.dist <= 1e-6 for c in d.contact)
    assert np.allclose(d.contact.frame[:, 2], 1, atol=0.1) or np.allclose(d.contact.frame[:, 2], -1, atol=0.1)


def test_wrong_classes_are_refused():
    """Mistakes in a class are told when it is registered."""
    with pytest.raises(AttributeError):
        kinetree.register_plugin(type("Nameless", (), {"capabilities": ["sdf"]}))
    with pytest.raises(ValueError, match="no capability 'motor'"):
        kinetree.register_plugin(type("Odd", (), {"name": "test.odd", "capabilities": ["motor"]}))
    cls = register()
    with pytest.raises(ValueError, match="already registered"):
        kinetree.register_plugin(cls)


def test_resource_providers():
    """Includes come from a provider; one that fails is named."""
    files = {"ball.xml": b"<mujoco><worldbody><geom size='0.1'/></worldbody></mujoco>"}
    kinetree.register_resource_provider("shelf", lambda name: files[name])
    m = kinetree.MjModel.from_xml_string("<mujoco><include file='shelf:/ball.xml'/></mujoco>")
    assert m.ngeom == 1
    with pytest.raises(ValueError, match="provider 'shelf' cannot read 'none.xml'"):
        kinetree.MjModel.from_xml_string("<mujoco><include file='shelf:/none.xml'/></mujoco>")
    with pytest.raises(ValueError, match="already exists"):
        kinetree.register_resource_provider("shelf", lambda name: files[name])


def test_a_zip_file_is_a_provider(tmp_path):
    """What reads an archive is a provider; a file that is damaged is named."""
    path = tmp_path / "parts.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("parts/ball.xml", "<mujoco><worldbody><geom size='0.1'/></worldbody></mujoco>")
    kinetree.register_resource_provider("archive", zipfile.ZipFile(path).read)
    assert kinetree.MjModel.from_xml_string("<mujoco><include file='archive:/parts/ball.xml'/></mujoco>").ngeom == 1
    damaged = tmp_path / "damaged.zip"
    damaged.write_bytes(path.read_bytes().replace(b"size='0.1'", b"size='0.7'"))
    kinetree.register_resource_provider("damaged", zipfile.ZipFile(damaged).read)
    with pytest.raises(ValueError, match="provider 'damaged' cannot read 'parts/ball.xml'.*CRC"):
        kinetree.MjModel.from_xml_string("<mujoco><include file='damaged:/parts/ball.xml'/></mujoco>")


class Toy:
    """A format of three numbers per corner of a tetrahedron."""

    content_type = "model/toy"
    extensions = [".toy"]

    def decode(self, name, data):
        """A description with one mesh."""
        kind, *numbers = data.decode().split()
        if kind == "wrong":
            return "no description"
        spec = kinetree.MjSpec()
        if kind == "balls":
            for radius in numbers:
                spec.worldbody.add_geom(size=[float(radius), 0, 0])
            return spec
        spec.add_mesh(name="corner", uservert=[float(word) for word in numbers], userface=[0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3])
        return spec


def test_decoders(tmp_path):
    """Meshes and models of a format that a Python object reads; what goes wrong names the format and the file."""
    kinetree.register_decoder(Toy())
    xml = "<mujoco><asset><mesh name='m' file='{}' {}/></asset><worldbody><geom type='mesh' mesh='m'/></worldbody></mujoco>"
    corner = b"tetrahedron 0 0 0 1 0 0 0 1 0 0 0 1"
    for file, extra in (("corner.toy", ""), ("corner.bin", "content_type='model/toy'")):
        m = kinetree.MjModel.from_xml_string(xml.format(file, extra), {file: corner})
        assert (m.nmeshvert, m.nmeshface) == (4, 4)
    spec = kinetree.MjSpec.from_string(xml.format("corner.toy", ""), assets={"corner.toy": corner})
    m = spec.compile()
    m, _ = spec.recompile(m, kinetree.MjData(m))
    assert m.nmeshvert == 4
    path = tmp_path / "balls.toy"
    path.write_bytes(b"balls 0.1 0.25")
    assert kinetree.MjModel.from_xml_path(str(path)).geom_size[1, 0] == 0.25
    for content, reason in ((b"wrong", "must return an MjSpec, not an object of type 'str'"), (b"tetrahedron x", "it raised ValueError")):
        with pytest.raises(ValueError, match=f"the decoder of 'model/toy' cannot read 'a.toy': .*{reason}"):
            kinetree.MjModel.from_xml_string(xml.format("a.toy", ""), {"a.toy": content})
    with pytest.raises(ValueError, match="the format 'model/toy' is already there"):
        kinetree.register_decoder(Toy())
    with pytest.raises(TypeError, match="a decoder needs a method"):
        kinetree.register_decoder(object())
    for wrong, reason in (({"content_type": 3}, "'content_type' of a decoder must be a str, not an object of type 'int'"),
                          ({"extensions": 3}, "'extensions' of a decoder must be a list of str, not an object of type 'int'"),
                          ({"can_decode": True}, "'can_decode' of a decoder must be a method")):
        with pytest.raises(TypeError, match=reason):
            kinetree.register_decoder(type("Wrong", (Toy,), wrong)())


class Picky(Toy):
    """Reads files that begin with its own word."""

    content_type = "model/picky"
    extensions = [".picky"]

    def can_decode(self, name, data):
        """Whether it does."""
        if data == b"bomb":
            raise RuntimeError("it ticks")
        return data.startswith(b"balls")


def test_decoders_may_look_first(tmp_path):
    """A file that a decoder does not take is nobody's; a content type may be given where a file is read."""
    kinetree.register_decoder(Picky())
    path = tmp_path / "balls.bin"
    path.write_bytes(b"balls 0.1 0.25")
    assert kinetree.MjSpec.from_file(path, content_type="model/picky").compile().ngeom == 2
    xml = "<mujoco><asset><mesh name='m' file='a.picky'/></asset><worldbody><geom type='mesh' mesh='m'/></worldbody></mujoco>"
    with pytest.raises(ValueError, match="no decoder found for mesh file 'a.picky'"):
        kinetree.MjModel.from_xml_string(xml, {"a.picky": b"tetrahedron 0 0 0 1 0 0 0 1 0 0 0 1"})
    with pytest.raises(ValueError, match="the decoder of 'model/picky' cannot read 'a.picky': it raised RuntimeError: it ticks"):
        kinetree.MjModel.from_xml_string(xml, {"a.picky": b"bomb"})


class Radii:
    """Writes the radii of the balls of a model."""

    content_type = "model/radii"
    extensions = [".radii"]
    answers = {"text": "no bytes", "numbers": [1, 2, 3], "nothing": None}

    def encode(self, name, spec, model):
        """The bytes of a file."""
        if spec.modelname in self.answers:
            return self.answers[spec.modelname]
        if model is None:
            raise RuntimeError("it needs the model")
        radii = " ".join(str(size[0]) for size in model.geom_size)
        return (bytearray if spec.modelname == "array" else bytes)(f"balls {radii}".encode())


def test_encoders(tmp_path):
    """Files of a format that a Python object writes; what goes wrong names the format and the file, and leaves no file."""
    kinetree.register_encoder(Radii())
    spec = kinetree.MjSpec.from_string("<mujoco><worldbody><geom size='0.1'/><geom size='0.25'/></worldbody></mujoco>")
    m = spec.compile()
    path = tmp_path / "pair.radii"
    for spec.modelname in ("array", "plain"):
        assert kinetree.mj_encode(spec, m, path) == len(b"balls 0.1 0.25")
        assert path.read_bytes() == b"balls 0.1 0.25"
    kinetree.mj_encode(spec, m, str(tmp_path / "pair.bin"), "model/radii")
    assert (tmp_path / "pair.bin").read_bytes() == b"balls 0.1 0.25"
    none = tmp_path / "none.radii"
    cannot = "the encoder of 'model/radii' cannot write '.*none.radii': "
    with pytest.raises(ValueError, match=cannot + "it raised RuntimeError: it needs the model"):
        kinetree.mj_encode(spec, None, none)
    for spec.modelname, kind in (("text", "str"), ("numbers", "list"), ("nothing", "NoneType")):
        with pytest.raises(ValueError, match=cannot + f"'encode' must return bytes, not an object of type '{kind}'"):
            kinetree.mj_encode(spec, m, none)
    assert not none.exists()
    spec.modelname = "plain"
    with pytest.raises(ValueError, match="cannot write '.*pair.radii'"):
        kinetree.mj_encode(spec, m, tmp_path / "nowhere" / "pair.radii")
    with pytest.raises(ValueError, match="there is no encoder for '.*pair.xyz'"):
        kinetree.mj_encode(spec, m, tmp_path / "pair.xyz")
    with pytest.raises(TypeError):
        kinetree.mj_encode("no description", m, path)
    with pytest.raises(ValueError, match="the format 'model/radii' is already there"):
        kinetree.register_encoder(Radii())
    with pytest.raises(TypeError, match="an encoder needs a method 'encode"):
        kinetree.register_encoder(object())


def test_batches_refuse_plugins_in_python():
    cls = register()
    with pytest.raises(RuntimeError, match=cls.name):
        kinetree.batch.BatchSim(load(cls), 2)
