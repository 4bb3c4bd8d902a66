"""`MjSpec`: reading, editing, attaching, compiling and writing model descriptions."""

import os
import posixpath
import weakref
import zipfile

import numpy as np

from kinetree import _core
from kinetree._core import FatalError
from kinetree.spec import texts
from kinetree.spec.copy_back import copy_back
from kinetree.spec.elements import CLASSED, CLASSES, KINDS, AttachedKey, MjsDefault
from kinetree.spec.fields import MjsCompiler, Settings, VisualSettings
from kinetree.spec.migration import Migration, MigrationNote
from kinetree.spec.tree import CHILDREN, class_name, set_fields
from kinetree.structs import MjData, MjModel, _text_keys

_ATTRIBUTES = ("assets", "copy_during_attach", "override_assets")
ASSETS = {"mesh": ("file",), "hfield": ("file",), "skin": ("file",), "texture": ("file",)}


class MjSpec(_core.CoreSpec):
    """An editable model description: a tree of elements that is compiled to an `MjModel`.

    `MjSpec()` is an empty one; `from_file` and `from_string` read MJCF and URDF. `worldbody` is the root: its `add_body`, `add_geom` and
    their like build the tree. `spec.body("hand")`, `spec.geoms` and so on find elements, `attach` puts another description at a frame or
    site, `compile` makes a model, and `recompile` carries a simulation over into it.

    Args:
        xml: MJCF or URDF text.
        path: path of a file.
        assets: dictionary from file names to bytes.
        core: for use by the package.
        content_type: content type of the file, for registered decoders.
        reference: version of MuJoCo whose meaning the description has, "3.8" (the default) or "4.0".

    Raises:
        ValueError: the text has faults; the message lists them with file, line, column and a suggestion.

    Example::

        spec = kinetree.MjSpec()
        body = spec.worldbody.add_body(name="ball", pos=[0, 0, 1])
        body.add_freejoint()
        body.add_geom(type=kinetree.mjtGeom.mjGEOM_SPHERE, size=[0.1, 0, 0])
        model = spec.compile()
    """

    def __new__(cls, xml=None, path=None, assets=None, core=None, content_type=None, reference=None):
        if core is not None:
            return super().__new__(cls)
        return super().__new__(cls, xml, path, assets, content_type, reference)

    def __init__(self, xml=None, path=None, assets=None, core=None, content_type=None, reference=None):
        own = self.__dict__
        own["_elements"] = weakref.WeakValueDictionary()
        # where elements went that were attached to another description
        own["_forward"] = {}
        own["_parent"] = None
        own["assets"] = dict(assets or {})
        own["copy_during_attach"] = False
        own["override_assets"] = True
        if core is not None:
            self._take(core)

    def __setattr__(self, name, value):
        if name not in _ATTRIBUTES and not hasattr(type(self), name):
            raise AttributeError(f"MjSpec has no field {name!r}")
        object.__setattr__(self, name, value)

    @staticmethod
    def from_string(xml, include=None, assets=None, reference=None):
        """Reads MJCF or URDF text.

        Args:
            xml: the text.
            include: dictionary from file names to the text of included files.
            assets: dictionary from file names to bytes, for meshes, textures and included files.
            reference: version of MuJoCo whose meaning the description has, "3.8" (the default) or "4.0".

        Raises:
            ValueError: the description has faults; the message lists them with file, line, column and a suggestion.
        """
        return _read({"xml": xml, "reference": reference}, include, assets)

    @staticmethod
    def from_file(filename, include=None, assets=None, content_type=None, reference=None):
        """Reads an MJCF or URDF file, or one that a registered decoder reads.

        Args:
            filename: path of the file.
            include: dictionary from file names to the text of included files.
            assets: dictionary from file names to bytes, for meshes, textures and included files.
            content_type: content type of the file; None to go by its extension.
            reference: version of MuJoCo whose meaning the description has, "3.8" (the default) or "4.0".

        Raises:
            ValueError: the description has faults; the message lists them with file, line, column and a suggestion.
        """
        source = {"path": os.fsdecode(filename), "content_type": content_type, "reference": reference}
        return _read(source, include, assets)

    @staticmethod
    def from_zip(file):
        """Reads a zip archive with one model and its assets.

        Args:
            file: path of the archive, or an open file.

        Raises:
            ValueError: it is no zip archive, or has no XML file.
        """
        if not zipfile.is_zipfile(file):
            raise ValueError(f"File {file} is not a zip file.")
        with zipfile.ZipFile(file) as archive:
            files = {info.filename: archive.read(info) for info in archive.infolist() if not info.is_dir()}
        models = [name for name in files if name.endswith(".xml")]
        if not models:
            raise ValueError("No XML file found in zip file.")
        folder = posixpath.dirname(models[-1])
        xml = files.pop(models[-1])
        assets = {posixpath.relpath(name, folder) if folder else name: data for name, data in files.items()}
        return MjSpec.from_string(xml, assets=assets)

    def to_zip(self, file):
        """Writes a zip archive with the model and its assets.

        Args:
            file: path of the archive, or an open file.
        """
        files = {**self.assets, self.modelname + ".xml": self.to_xml()}
        with zipfile.ZipFile(file, "w") as archive:
            for name, data in files.items():
                archive.writestr(zipfile.ZipInfo(name), data)

    def to_xml(self):
        """The description as MJCF text, which compiles to the same model."""
        return self._to_xml(self._files())

    def to_file(self, filename):
        """Writes the description as an MJCF file; asset folders are given relative to it.

        Args:
            filename: path of the file.
        """
        name = os.fsdecode(filename)
        folder = os.path.dirname(os.path.abspath(name)) + "/"
        text = self._to_xml(self._files(), folder)
        with open(name, "w", encoding="utf-8") as file:
            file.write(text)

    def _files(self):
        """Assets for the engine."""
        return _text_keys(self.assets)

    def compile(self):
        """Compiles the description as it is now; it can be edited and compiled again.

        Returns:
            The `MjModel`.

        Raises:
            ValueError: the description has faults, or is attached to another one.
        """
        if self._forward:
            raise ValueError("cannot compile a spec that is attached to another one: compile the other one")
        loaded, signature = self._compile(self._files())
        return _model(self, loaded, signature)

    def recompile(self, model, data):
        """Compiles the description and carries the state of a simulation over: what exists before and after keeps its state.

        Args:
            model: the `MjModel` that was compiled before.
            data: its `MjData`.

        Returns:
            The new `MjModel` and the new `MjData`.
        """
        loaded, state, signature = self._recompile(model, data, self._files())
        new_model = _model(self, loaded, signature)
        new_data = MjData(new_model)
        new_data.time = state.pop("time")
        for name, values in state.items():
            target = getattr(new_data, name)
            target[...] = values.reshape(target.shape)
        return new_model, new_data

    def migrate(self, reference, allow_differences=False):
        """The same physics as a description of another reference level.

        Args:
            reference: version of MuJoCo whose meaning the result has, "3.8" or "4.0".
            allow_differences: whether what moves otherwise at that level is told instead of refused.

        Returns:
            A `Migration`: the new description, and notes of kind "changed", "warning" and "difference".

        Raises:
            ValueError: the description has faults, or something moves otherwise at that level and no description can make up for it.
        """
        core, notes = self._migrate(reference, allow_differences, self._files())
        spec = _adopt(core)
        spec.assets.update(self.assets)
        return Migration(spec, [MigrationNote(*note) for note in notes])

    def copy(self):
        """A copy of the description, which shares nothing with it."""
        other = _adopt(self._clone())
        other.assets.update(self.assets)
        other.__dict__["copy_during_attach"] = self.copy_during_attach
        return other

    __copy__ = copy

    def __deepcopy__(self, memo):
        return self.copy()

    def _element(self, kind, index):
        """The object that stands for an element; there is one while a program holds it."""
        if (kind, index) in self._forward:
            spec, place = self._forward[kind, index]
            return spec._element(kind, place)
        element = self._elements.get((kind, index))
        if element is None:
            element = CLASSES[kind](self, index)
            self._elements[kind, index] = element
        return element

    def _class_place(self, name):
        place = self._find_class(name)
        if place is None:
            raise ValueError(f"the default class {name!r} was deleted")
        return place

    def delete(self, element):
        """Removes an element. With a body goes all that is in it, and all that refers to it.

        Args:
            element: an element or an `MjsDefault` of this description.
        """
        if isinstance(element, MjsDefault):
            self._delete_class(element.name)
            return
        if element._spec is not self:
            if self._forward:
                raise ValueError("Cannot delete element from an attached mjSpec.")
            raise ValueError("the element belongs to another spec")
        self._delete(element._kind, element._index)

    detach_body = delete

    @property
    def parent(self):
        """The description that this one was attached to; None when it was not."""
        return self._parent

    @property
    def worldbody(self):
        """The world body, an `MjsBody`, which all others are in."""
        return self._element("body", 0)

    @property
    def default(self):
        """The main default class, an `MjsDefault`."""
        return MjsDefault(self, "main")

    def find_default(self, name):
        """The default class of a name, an `MjsDefault`; None when there is none.

        Args:
            name: its name; "main" is the outermost class.
        """
        return MjsDefault(self, name or "main") if self._find_class(name) is not None else None

    def add_default(self, name, parent=None):
        """Adds a default class.

        Args:
            name: its name.
            parent: the class around it, an `MjsDefault` or a name; None for the main class.

        Returns:
            The `MjsDefault`.
        """
        self._add_class(name, class_name(parent))
        return MjsDefault(self, name)

    def activate_plugin(self, name):
        """Declares that the model uses a plugin.

        Args:
            name: name of the plugin.
        """
        self._activate_plugin(name)

    @property
    def hasImplicitPluginElem(self):  # noqa: N802
        """Whether an element uses a plugin without a named instance."""
        return False

    @property
    def compiler(self):
        """Settings of the compiler, an `MjsCompiler`."""
        return MjsCompiler(self, "compiler")

    @property
    def option(self):
        """Physics options, with the fields of `MjOption`."""
        return Settings(self, "option")

    @property
    def stat(self):
        """Statistics that override the computed ones, with the fields of `MjStatistic`."""
        return Settings(self, "stat")

    @property
    def visual(self):
        """Visualization settings, with the groups of `MjVisual`."""
        return VisualSettings(self)

    @staticmethod
    def resolve_orientation(degree, sequence=None, orientation=None):
        """The quaternion of an orientation in another form.

        Args:
            degree: whether its angles are in degrees.
            sequence: axes of Euler angles, such as "xyz".
            orientation: the `MjsOrientation`.

        Returns:
            Array (4,): w, x, y, z.
        """
        form, values = orientation._read()
        return np.array(_core.resolve_orientation(bool(degree), "".join(sequence or "xyz"), form, values))

    def attach(self, child, prefix=None, suffix=None, site=None, frame=None):
        """Attaches a whole description at a frame or a site of this one.

        Args:
            child: the `MjSpec` to attach.
            prefix: put before the names of its elements.
            suffix: put after the names of its elements.
            site: the site, an `MjsSite` or a name.
            frame: the frame, an `MjsFrame` or a name; exactly one of both is given.

        Returns:
            The `MjsFrame` that its world became.

        Raises:
            ValueError: there is no such frame or site, or names collide.
        """
        if (site is None) == (frame is None):
            raise ValueError("Exactly one of site and frame must be given.")
        place = frame if site is None else site
        if isinstance(place, str):
            found = self.frame(place) if site is None else self.site(place)
            if found is None:
                raise ValueError("Frame not found." if site is None else "Site not found.")
            place = found
        return self._attach_part(place, child, prefix, suffix)[1]

    def _attach_part(self, place, part, prefix, suffix):
        """Attaches a body, a frame or a whole description. Returns what was attached and the frame it is in."""
        if place._spec is not self:
            return place._spec._attach_part(place, part, prefix, suffix)
        whole = isinstance(part, MjSpec)
        child, kind, index = (part, "model", 0) if whole else (part._spec, part._kind, part._index)
        prefix, suffix = prefix or "", suffix or ""
        assets = _renamed_assets(self, child, prefix, suffix)
        follow = not self.copy_during_attach and child is not self
        every = follow or bool(child.assets)
        made, copy, moves = self._attach(place._kind, place._index, child, kind, index, prefix, suffix, every)
        self.assets.update(assets)
        if child.assets:
            _rename_files(self, child, moves, prefix, suffix)
        # a site got a frame with its pose
        frame = place if made is None else self._element("frame", made)
        if follow:
            _follow(self, child, moves)
        return None if whole else self._element(kind, copy), frame


def _model(spec, loaded, signature):
    model = MjModel(loaded)
    model.__dict__["_spec_signature"] = signature
    model.__dict__["_source"] = {"spec": spec}
    return model


def mj_saveLastXML(filename, m):  # noqa: N802
    """Writes the description that a model was compiled from as an MJCF file; values that were changed in the model are written as they are now.

    Args:
        filename: path of the file.
        m: the `MjModel`.
    """
    source = m.__dict__.get("_source")
    if source is None:
        raise FatalError("this model was not compiled from a description")
    spec = source["spec"].copy() if "spec" in source else MjSpec(**source)
    try:
        copy_back(spec, m)
        spec.to_file(filename)
    except (OSError, ValueError) as problem:
        raise FatalError(str(problem)) from None


def mj_saveXML(s, filename):  # noqa: N802
    """Writes a description as an MJCF file.

    Args:
        s: the `MjSpec`.
        filename: path of the file.
    """
    s.to_file(filename)


def mj_saveXMLString(s):  # noqa: N802
    """A description as MJCF text.

    Args:
        s: the `MjSpec`.
    """
    return s.to_xml()


def _read(source, include, assets):
    files = {**(include or {}), **(assets or {})}
    spec = MjSpec(assets=_text_keys(files), **source)
    spec.__dict__["assets"] = dict(files)
    return spec


def _adopt(core):
    spec = MjSpec()
    spec._take(core)
    return spec


def _renamed(name, prefix, suffix):
    """Name of a file with a prefix and a suffix around its stem."""
    folder, base = posixpath.split(name)
    stem, extension = posixpath.splitext(base)
    if not (prefix or suffix):
        return name
    slash = "/" if folder and not prefix else ""
    return posixpath.join(folder, "") + slash + prefix + stem + suffix + extension if folder else prefix + stem + suffix + extension


def _renamed_assets(parent, child, prefix, suffix):
    assets = {_renamed(name, prefix, suffix): data for name, data in child.assets.items()}
    for name, data in assets.items():
        if name in parent.assets and parent.assets[name] != data:
            raise ValueError(f"the asset {name!r} exists already with another content: use a prefix or a suffix")
    return assets


def _rename_files(parent, child, moves, prefix, suffix):
    """Makes attached assets name the renamed files."""
    known = {posixpath.basename(name) for name in child.assets}
    for kind, _, new in moves:
        for field in ASSETS.get(kind, ()):
            file = parent._get(kind, new, field)
            if posixpath.basename(file) in known:
                folder, base = posixpath.split(file)
                parent._set(kind, new, field, posixpath.join(folder, _renamed(base, prefix, suffix)))


def _follow(parent, child, moves):
    """Makes the objects of attached elements stand for what is in the parent now."""
    child.__dict__["_parent"] = parent
    for kind, old, new in moves:
        if (kind, old) in child._forward:
            continue
        child._forward[kind, old] = (parent, new)
        element = child._elements.pop((kind, old), None)
        if element is not None:
            element._move(parent, new)
            parent._elements[kind, new] = element
            element._refresh()


def _list(kind):
    def get(self):
        return [self._element(kind, index) for index in self._all(kind)]

    return property(get, doc=f"All {KINDS[kind][1]} of the description, a list of `Mjs{KINDS[kind][0]}`.")


def _finder(kind):
    def find(self, name):
        index = self._find(kind, name)
        return None if index is None else self._element(kind, index)

    find.__name__ = kind
    find.__doc__ = texts.of_finder(kind, KINDS[kind][0])
    return find


def _adder(kind):
    def add(self, default=None, **fields):
        index = self._add(kind, class_name(default) if kind in CLASSED else "")
        return set_fields(self._element(kind, index), fields)

    add.__name__ = f"add_{kind}"
    add.__doc__ = texts.of_adder(kind, KINDS[kind][0])
    return add


def _keys(self):
    """All keyframes, after a compilation also those of attached parts; a list of `MjsKey`."""
    own = [self._element("key", index) for index in self._all("key")]
    return own + [AttachedKey(*row) for row in self._attached_keys()]


for _kind, (_, _plural) in KINDS.items():
    setattr(MjSpec, _plural, property(_keys, doc=_keys.__doc__) if _kind == "key" else _list(_kind))
    setattr(MjSpec, _kind, _finder(_kind))
    if _kind not in CHILDREN:
        setattr(MjSpec, f"add_{_kind}", _adder(_kind))


def _setting(kind, name):
    def get(self):
        return _core.CoreSpec._get(self, kind, 0, name)

    def put(self, value):
        self._set(kind, 0, name, value)

    return property(get, put, doc=texts.SETTINGS[name])


_SETTINGS = {
    "model": ("modelname", "comment"),
    "compiler": ("meshdir", "texturedir", "strippath", "modelfiledir"),
    "size": ("memory", "nuserdata", "nuser_body", "nuser_jnt", "nuser_geom", "nuser_site", "nuser_cam", "nuser_tendon",
             "nuser_actuator", "nuser_sensor", "nkey", "njmax", "nconmax", "nstack"),
}
for _kind, _names in _SETTINGS.items():
    for _name in _names:
        setattr(MjSpec, _name, _setting(_kind, _name))
