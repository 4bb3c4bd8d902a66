"""Models and data that tests share."""

import signal

import kinetree
import pytest

# shells let programs in the background ignore Ctrl-C, which tests send to themselves
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

XML = """
<mujoco model="arm">
  <option timestep="0.002"/>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 0.1"/>
    <body name="upper" pos="0 0 1">
      <joint name="shoulder" axis="0 1 0" damping="0.1" limited="true" range="-170 170"/>
      <geom name="upper" type="capsule" fromto="0 0 0 0.3 0 0" size="0.03"/>
      <body name="lower" pos="0.3 0 0">
        <joint name="elbow" axis="0 1 0" damping="0.1"/>
        <geom name="lower" type="capsule" fromto="0 0 0 0.3 0 0" size="0.03"/>
        <site name="hand" pos="0.3 0 0"/>
      </body>
    </body>
    <body name="ball" pos="1 0 0.09">
      <freejoint name="root"/>
      <geom name="ball" size="0.1"/>
    </body>
  </worldbody>
  <actuator>
    <motor name="drive" joint="shoulder"/>
    <general name="filtered" joint="elbow" dyntype="filter" dynprm="0.1"/>
  </actuator>
  <sensor>
    <jointpos name="angle" joint="elbow"/>
    <framepos name="place" objtype="site" objname="hand"/>
  </sensor>
  <keyframe>
    <key name="bent" qpos="0.5 -0.5 1 0 0.2 1 0 0 0" ctrl="0.1 0.2" act="0.3"/>
  </keyframe>
</mujoco>
"""


@pytest.fixture
def model():
    """An arm with two joints beside a ball on a floor."""
    return kinetree.MjModel.from_xml_string(XML)


@pytest.fixture
def data(model):
    """A data of that model."""
    return kinetree.MjData(model)


@pytest.fixture(autouse=True)
def no_callbacks():
    """No test leaves a callback behind."""
    yield
    kinetree.mj_resetCallbacks()
    kinetree.set_mju_user_warning(None)
