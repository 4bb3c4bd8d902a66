"""`mj_step` as a function of JAX arrays, with gradients through contacts. Needs `jax`."""

from functools import partial

import jax
import numpy as np

from kinetree.grad import Step

__all__ = ["step"]


def _call(function, shapes, *arrays):
    def host(*values):
        results = function(*(np.asarray(value, dtype=np.float64) for value in values))
        results = results if isinstance(results, tuple) else (results,)
        return tuple(result.astype(shape.dtype) for result, shape in zip(results, shapes, strict=True))

    return jax.pure_callback(host, shapes, *arrays, vmap_method="broadcast_all")


def _shape(array):
    return jax.ShapeDtypeStruct(array.shape, array.dtype)


@partial(jax.custom_vjp, nondiff_argnums=(0,))
def step(engine: Step, state: jax.Array, ctrl: jax.Array) -> jax.Array:
    """The states `(qpos, qvel, act)` after a step, differentiable in reverse. Arrays may have leading dimensions, one world each."""
    return _call(engine.forward, (_shape(state),), state, ctrl)[0]


def _forward(engine, state, ctrl):
    return step(engine, state, ctrl), (state, ctrl)


def _backward(engine, saved, gradient):
    state, ctrl = saved
    return _call(engine.backward, (_shape(state), _shape(ctrl)), state, ctrl, gradient)


step.defvjp(_forward, _backward)
