"""Kinds of `conformance.soak` about control, identification and rendering contexts: functions of what makes a model."""

import itertools

import kinetree
import numpy as np


def plans(model):
    """Searches for controls, by derivatives and by samples."""
    from kinetree import control
    m = model()
    d = kinetree.MjData(m)
    nx = 2 * m.nv + m.na
    cost = control.QuadraticCost(running=np.ones(nx), control=np.ones(m.nu), sensors=[control.SensorTerm(1, np.zeros(3), 1.0)])

    def round_():
        found = control.ilqr(m, d, np.zeros((3, m.nu)), cost, iterations=1)
        for search in (control.predictive_sampling, control.mppi):
            search(m, d, 3, cost, iterations=1, samples=3, knots=2)
        control.cem(m, d, 3, cost, iterations=1, samples=3, knots=2, elites=2)
        steps = control.transitions(m, found.states[:-1], found.controls, sensors=True)
        control.tvlqr(steps.A, steps.B, np.eye(nx), np.eye(m.nu), np.eye(nx))

    return round_


def controllers(model):
    from kinetree import control
    m = model()
    d = kinetree.MjData(m)
    cost = control.QuadraticCost(running=np.ones(2 * m.nv), control=np.ones(m.nu))
    planners = itertools.cycle(("ilqr", "predictive_sampling", "cem", "mppi"))

    def round_():
        controller = control.Mpc(m, 3, cost, planner=next(planners), iterations=1, samples=3, knots=2, elites=2)
        controller.replan(d)
        controller.observe(d)
        return controller.control(d), controller.plan

    return round_


def identifications(model):
    from kinetree import sysid
    m = model()
    recording = sysid.Recording((m.qpos0, np.zeros(m.nv)), np.zeros((3, m.nu)), qvel=np.zeros((3, m.nv)), noise=0.1)

    def round_():
        found = sysid.identify(m, [sysid.Parameter("mass", "box"), sysid.Parameter("damping", "hinge")], recording, iterations=1)
        return str(found), found.model

    return round_


def contexts(_model):
    """What texts and rectangles are drawn to, without a graphics adapter."""
    area, figure = kinetree.MjrRect(0, 0, 32, 32), kinetree.MjvFigure()
    colors = np.zeros((32, 32, 3), np.uint8)

    def round_():
        context = kinetree.MjrContext(None)
        kinetree.mjr_resizeOffscreen(32, 32, context)
        kinetree.mjr_addAux(0, 16, 16, 0, context)
        kinetree.mjr_rectangle(area, 1, 0, 0, 1)
        kinetree.mjr_text(0, "text", context, 0.1, 0.1, 1, 1, 1)
        kinetree.mjr_overlay(0, 0, area, "left", "right", context)
        kinetree.mjr_figure(area, figure, context)
        kinetree.mjr_readPixels(colors, None, area, context)

    return round_


def pictures_of_contexts(model):
    m = model()
    d = kinetree.MjData(m)
    try:
        context, scene = kinetree.MjrContext(m), kinetree.MjvScene(m, 100)
    except (RuntimeError, kinetree.FatalError) as error:
        print(f"skipped: {error}")
        return None
    kinetree.mjr_resizeOffscreen(16, 16, context)
    area, colors, depth = kinetree.MjrRect(0, 0, 16, 16), np.zeros((16, 16, 3), np.uint8), np.zeros((16, 16), np.float32)

    def round_():
        kinetree.mj_step(m, d)
        kinetree.mjv_updateScene(m, d, kinetree.MjvOption(), None, kinetree.MjvCamera(), kinetree.mjtCatBit.mjCAT_ALL, scene)
        kinetree.mjr_render(area, scene, context)
        kinetree.mjr_readPixels(colors, depth, area, context)

    return round_


# what is made, and how many of the rounds it has
KINDS = {plans: 1, controllers: 1, identifications: 1, contexts: 1, pictures_of_contexts: 0.5}
