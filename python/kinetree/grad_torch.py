"""`mj_step` as a function of PyTorch tensors, with gradients through contacts. Needs `torch`."""

import torch

from kinetree.grad import Step

__all__ = ["step"]


class _Step(torch.autograd.Function):
    @staticmethod
    def forward(ctx, engine, state, ctrl):
        ctx.engine = engine
        ctx.save_for_backward(state, ctrl)
        return _like(engine.forward(_numbers(state), _numbers(ctrl)), state)

    @staticmethod
    def backward(ctx, gradient):
        state, ctrl = ctx.saved_tensors
        dstate, dctrl = ctx.engine.backward(_numbers(state), _numbers(ctrl), _numbers(gradient))
        return None, _like(dstate, state), _like(dctrl, ctrl)


def _numbers(tensor):
    return tensor.detach().to("cpu", torch.float64).numpy()


def _like(values, tensor):
    return torch.as_tensor(values).to(device=tensor.device, dtype=tensor.dtype)


def step(engine: Step, state: torch.Tensor, ctrl: torch.Tensor) -> torch.Tensor:
    """The states `(qpos, qvel, act)` after a step, differentiable by `backward`. Tensors may have leading dimensions, one world each."""
    return _Step.apply(engine, state, ctrl)
