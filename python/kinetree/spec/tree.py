"""Bodies, frames and sites: adding, listing, finding and attaching what hangs on them."""

from kinetree import enums
from kinetree.enums import mjtObj
from kinetree.spec import texts
from kinetree.spec.elements import CLASSES, FORMS, KINDS, MjsDefault, MjsOrientation

CHILDREN = ("body", "frame", "joint", "geom", "site", "camera", "light")
MjsBody, MjsFrame, MjsSite = CLASSES["body"], CLASSES["frame"], CLASSES["site"]


def class_name(default):
    """Name of a default class given as such, by name or not at all."""
    if default is None:
        return ""
    return default.name if isinstance(default, MjsDefault) else str(default)


def set_fields(element, fields, allowed=None):
    """Sets the fields of a new element; when one is wrong the element goes again."""
    # nothing given, as in the signatures of the reference
    fields = {name: value for name, value in fields.items() if value is not None}
    try:
        _set_forms(element, fields, "", ("axisangle", "xyaxes", "zaxis", "euler"))
        if element._kind == "body":
            _set_forms(element, fields, "i", ("axisangle", "xyaxes", "zaxis", "euler"))
        for name, value in fields.items():
            known = isinstance(getattr(type(element), name, None), property)
            if not known or (allowed is not None and name not in allowed):
                options = sorted(allowed or (n for n in dir(type(element)) if isinstance(getattr(type(element), n), property)))
                raise TypeError(f"Invalid {name} keyword argument. Valid options are: {', '.join(options)}.")
            _set_named(element, name, value)
    except Exception:
        element._spec._delete(element._kind, element._index)
        raise
    return element


# enumerations of the fields that programs write most
_ENUMERATIONS = {
    ("joint", "type"): enums.mjtJoint, ("geom", "type"): enums.mjtGeom, ("site", "type"): enums.mjtGeom, ("camera", "mode"): enums.mjtCamLight,
    ("light", "mode"): enums.mjtCamLight, ("light", "type"): enums.mjtLightType, ("texture", "type"): enums.mjtTexture,
    ("equality", "type"): enums.mjtEq, ("actuator", "trntype"): enums.mjtTrn, ("actuator", "dyntype"): enums.mjtDyn,
    ("actuator", "gaintype"): enums.mjtGain, ("actuator", "biastype"): enums.mjtBias, ("sensor", "type"): enums.mjtSensor,
    ("sensor", "objtype"): enums.mjtObj, ("sensor", "reftype"): enums.mjtObj, ("equality", "objtype"): enums.mjtObj,
}


def _set_named(element, name, value):
    """Sets a field; a value of the wrong kind is named with what would do."""
    try:
        setattr(element, name, value)
    except (TypeError, ValueError) as problem:
        if name in str(problem):
            raise
        members = _ENUMERATIONS.get((element._kind, name)) if isinstance(value, str) else None
        hint = f"; one of {', '.join(map(str, members))}" if members else ""
        raise type(problem)(f"{type(element).__name__}.{name} = {value!r}: {problem}{hint}") from None


def _set_forms(element, fields, prefix, forms):
    given = [form for form in forms if prefix + form in fields]
    if not given or not hasattr(type(element), "ialt" if prefix else "alt"):
        return
    if len(given) > 1:
        names = [prefix + form for form in ("axisangle", "xyaxes", "zaxis", "euler")]
        raise ValueError(f"Only one of: {', '.join(names[:-1])}, or {names[-1]} can be set.")
    values = fields.pop(prefix + given[0])
    MjsOrientation(element, bool(prefix))._write(FORMS[given[0]], values)


def _own(self, frame):
    """Index of a frame of the same description."""
    if not isinstance(frame, MjsFrame):
        raise TypeError(f"a frame must be an MjsFrame, not {type(frame).__name__}")
    if frame._spec is not self._spec:
        raise ValueError(f"the frame '{frame.name}' belongs to another description: attach it first")
    return frame._index


def _owner(self):
    """The body and the frame that something is added to."""
    if isinstance(self, MjsFrame):
        return self._spec._place("frame", self._index)[0], self._index
    return self._index, None


def _adder(kind):
    def add(self, default=None, **fields):
        body, frame = _owner(self)
        if isinstance(default, MjsFrame):
            default, frame = None, _own(self, default)
        index = self._spec._add_to_body(body, kind, class_name(default), frame)
        return set_fields(self._spec._element(kind, index), fields)

    add.__name__ = f"add_{kind}"
    add.__doc__ = texts.of_child_adder(kind, KINDS[kind][0])
    return add


def _add_freejoint(self, **fields):
    """Adds a free joint: six dofs relative to the world.

    Args:
        fields: values of `name`, `group` and `align`.

    Returns:
        The `MjsJoint`.
    """
    body, frame = _owner(self)
    index = self._spec._add_to_body(body, "freejoint", "", frame)
    return set_fields(self._spec._element("joint", index), fields, allowed=("align", "group", "name"))


for _cls in (MjsBody, MjsFrame):
    for _kind in CHILDREN:
        setattr(_cls, f"add_{_kind}", _adder(_kind))
    _cls.add_freejoint = _add_freejoint


def _children(kind):
    def get(self):
        return [self._spec._element(kind, index) for index in self._spec._children(self._index, kind)]

    return property(get, doc=f"The {KINDS[kind][1]} directly in this body, a list of `Mjs{KINDS[kind][0]}`.")


def _first(kind):
    def first(self):
        return next(iter(getattr(self, KINDS[kind][1])), None)

    first.__doc__ = f"The first {kind} directly in this body; None when there is none."
    return first


def _next(kind):
    def following(self, element):
        elements = getattr(self, KINDS[kind][1])
        place = elements.index(element) + 1
        return elements[place] if place < len(elements) else None

    following.__doc__ = f"""The {kind} of this body after another one; None after the last.

    Args:
        element: the {kind} before.
    """
    return following


for _kind in CHILDREN:
    setattr(MjsBody, KINDS[_kind][1], _children(_kind))
    setattr(MjsBody, f"first_{_kind}", _first(_kind))
    setattr(MjsBody, f"next_{_kind}", _next(_kind))


def _find_all(self, kind):
    """All elements of one kind in this body and the bodies below it, without the body itself.

    Args:
        kind: "body", "frame", "joint", "geom", "site", "camera" or "light", or an `mjtObj`.

    Returns:
        A list, in the order of the description.
    """
    if not isinstance(kind, str):
        kind = {int(getattr(mjtObj, f"mjOBJ_{name.upper()}")): name for name in CHILDREN}.get(int(kind), "")
    if kind not in CHILDREN:
        raise ValueError("body.find_all supports the types: body, frame, geom, site, joint, light, camera.")
    found = []
    pending = [self]
    while pending:
        body = pending.pop(0)
        if kind != "body":
            found += getattr(body, KINDS[kind][1])
        elif body is not self:
            found.append(body)
        pending[:0] = body.bodies
    return found


def _find_child(self, name):
    """The body with a name, this one or one below it at any depth; None when there is none.

    Args:
        name: its name.
    """
    return next((body for body in [self, *_find_all(self, "body")] if body.name == name), None)


MjsBody.find_all, MjsBody.find_child = _find_all, _find_child


def _parent(self):
    """The body that this belongs to; None for the world."""
    index = self._spec._place(self._kind, self._index)[0]
    return None if index is None else self._spec._element("body", index)


def _frame(self):
    """The frame that this is in; None when it is in none."""
    index = self._spec._place(self._kind, self._index)[1]
    return None if index is None else self._spec._element("frame", index)


def _set_frame(self, frame):
    """Moves the element into a frame of the same body; its pose is relative to it from then on.

    Args:
        frame: the `MjsFrame`, or None for the body itself.
    """
    self._spec._set_frame(self._kind, self._index, None if frame is None else _own(self, frame))


for _kind in CHILDREN:
    CLASSES[_kind].parent = property(_parent, doc=_parent.__doc__)
    CLASSES[_kind].frame = property(_frame, lambda self, frame: _set_frame(self, frame), doc=_frame.__doc__)
    CLASSES[_kind].set_frame = _set_frame


def _to_frame(self):
    """Replaces the body by a frame of its parent with the same pose; what was in it becomes part of the parent.

    Returns:
        The `MjsFrame`.
    """
    return self._spec._element("frame", self._spec._to_frame(self._index))


MjsBody.to_frame = _to_frame


def _attach_body(self, body, prefix=None, suffix=None):
    """Attaches a body of a description here, with all in it and all that refers to it.

    Args:
        body: the `MjsBody`.
        prefix: put before the names of its elements.
        suffix: put after the names of its elements.

    Returns:
        The attached `MjsBody`.
    """
    return self._spec._attach_part(self, body, prefix, suffix)[0]


def _attach_frame(self, frame, prefix=None, suffix=None):
    """Attaches a frame of a description to this body, with all in it and all that refers to it.

    Args:
        frame: the `MjsFrame`.
        prefix: put before the names of its elements.
        suffix: put after the names of its elements.

    Returns:
        The attached `MjsFrame`.
    """
    return self._spec._attach_part(self, frame, prefix, suffix)[0]


MjsFrame.attach_body = MjsSite.attach_body = _attach_body
MjsBody.attach_frame = _attach_frame
