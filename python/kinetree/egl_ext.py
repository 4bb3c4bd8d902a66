"""Stands in for the functions of EGL with which programs make a context to draw without a window, as robosuite does.

Pictures need no context here: each call succeeds, and nothing is made.
"""

import ctypes

EGL_SUCCESS = 0x3000
EGL_FALSE, EGL_TRUE = 0, 1
EGL_ALPHA_SIZE, EGL_BLUE_SIZE, EGL_GREEN_SIZE, EGL_RED_SIZE = 0x3021, 0x3022, 0x3023, 0x3024
EGL_DEPTH_SIZE, EGL_STENCIL_SIZE = 0x3025, 0x3026
EGL_SURFACE_TYPE, EGL_NONE = 0x3033, 0x3038
EGL_COLOR_BUFFER_TYPE, EGL_RENDERABLE_TYPE, EGL_RGB_BUFFER = 0x303F, 0x3040, 0x308E
EGL_PBUFFER_BIT, EGL_OPENGL_BIT = 0x0001, 0x0008
EGL_HEIGHT, EGL_WIDTH = 0x3056, 0x3057
EGL_OPENGL_API = 0x30A2
EGL_PLATFORM_DEVICE_EXT = 0x313F
EGL_NO_CONTEXT = EGL_NO_DISPLAY = EGL_NO_SURFACE = None
EGLConfig = EGLDisplay = EGLContext = EGLSurface = EGLDeviceEXT = ctypes.c_void_p
EGLint = ctypes.c_int32


class _Handle:
    """A display, a device, a surface or a context."""

    address = 1


def eglQueryDevicesEXT(max_devices=10):
    """One device."""
    del max_devices
    return [_Handle()]


def _makes(what):
    def make(*args):
        del args
        return _Handle()

    make.__doc__ = f"A {what} that stands for none."
    return make


def _succeeds(*args):
    """Does nothing."""
    del args
    return EGL_TRUE


def eglChooseConfig(display, attributes, configs, size, count):
    """One configuration, whatever is asked for."""
    del display, attributes, configs, size
    target = getattr(count, "contents", count)
    target.value = 1
    return EGL_TRUE


def eglGetError():
    """No error."""
    return EGL_SUCCESS


def eglGetCurrentContext():
    """No context is current."""
    return EGL_NO_CONTEXT


eglGetPlatformDisplayEXT, eglGetDisplay = _makes("display"), _makes("display")
eglCreateContext, eglCreatePbufferSurface = _makes("context"), _makes("surface")
eglInitialize = eglBindAPI = eglMakeCurrent = eglDestroyContext = eglDestroySurface = eglReleaseThread = eglTerminate = _succeeds
