//! The mouse or fingers over the picture: they move the camera, select, and pull at what is selected.

use crate::camera::CameraChoice;
use crate::snapshot::Snapshot;
use crate::view::View;
use egui::{PointerButton, Response, Ui};
use kinetree_render::scene::{
    MjvScene, Mouse, PertBit, SceneError, Selection, mjv_init_perturb, mjv_move_camera, mjv_move_perturb,
    mjv_select,
};

/// Motion of the camera per point that the wheel scrolls, relative to the height of the window.
const WHEEL: f64 = 0.002;
/// Zoom per logarithm of the distance between two fingers. The camera comes closer by
/// 9 ln(1 + d / 3) of the extent per unit, 2.6 times its distance d = 1: a third makes the picture follow.
const PINCH: f64 = 0.35;

/// What the mouse did.
#[derive(Default)]
pub(crate) struct Outcome {
    /// Whether the pull at the selected body has changed.
    pub(crate) pulled: bool,
}

/// The picture under the mouse.
pub(crate) struct Pointer<'a> {
    pub(crate) snapshot: &'a Snapshot,
    pub(crate) scene: &'a MjvScene,
    pub(crate) view: &'a mut View,
}

impl Pointer<'_> {
    /// Follows the mouse.
    pub(crate) fn follow(&mut self, ui: &Ui, response: &Response) -> Result<Outcome, SceneError> {
        let before = self.view.perturb;
        let height = f64::from(response.rect.height().max(1.0));
        let modifiers = ui.input(|input| input.modifiers);
        // soon after a click elsewhere, a double click counts as a triple one
        let double = |button| response.double_clicked_by(button) || response.triple_clicked_by(button);
        if double(PointerButton::Primary) {
            self.select(response)?;
        }
        if double(PointerButton::Secondary) {
            self.look_at(response, modifiers.ctrl)?;
        }
        let touched = ui.input(egui::InputState::any_touches);
        if response.drag_started() {
            if modifiers.ctrl && self.view.selected(&self.snapshot.model).is_some() {
                self.begin_pull(response.drag_started_by(PointerButton::Primary))?;
            } else if touched && self.is_on_selected(ui, response)? {
                self.begin_pull(false)?;
            }
        }
        if let Some(fingers) = ui.input(egui::InputState::multi_touch) {
            self.follow_fingers(&fingers, height)?;
        } else if let Some(action) = action(response, modifiers.shift) {
            // a finger has no second button: what it pulls at is moved, not turned
            let action = if touched && self.view.perturb.active != 0 { Mouse::MoveV } else { action };
            let moved = response.drag_delta();
            let (dx, dy) = (f64::from(moved.x) / height, f64::from(moved.y) / height);
            self.drag(action, dx, dy)?;
        }
        if self.view.perturb.active != 0 && !response.dragged() {
            self.view.perturb.active = 0;
        }
        let wheel = ui.input(|input| f64::from(input.smooth_scroll_delta().y));
        if response.contains_pointer() && wheel != 0.0 {
            self.move_camera(Mouse::Zoom, 0.0, WHEEL * wheel)?;
        }
        Ok(Outcome { pulled: before != self.view.perturb })
    }

    /// Two fingers move the camera; apart and together they zoom.
    fn follow_fingers(&mut self, fingers: &egui::MultiTouchInfo, height: f64) -> Result<(), SceneError> {
        self.view.perturb.active = 0;
        let moved = fingers.translation_delta;
        self.move_camera(Mouse::MoveV, f64::from(moved.x) / height, f64::from(moved.y) / height)?;
        self.move_camera(Mouse::Zoom, 0.0, PINCH * f64::from(fingers.zoom_delta).ln())
    }

    /// Whether a drag began on the selected body.
    fn is_on_selected(&self, ui: &Ui, response: &Response) -> Result<bool, SceneError> {
        let Some(body) = self.view.selected(&self.snapshot.model) else { return Ok(false) };
        let Some(origin) = ui.input(|input| input.pointer.press_origin()) else { return Ok(false) };
        Ok(self.pick(origin, response.rect)?.is_some_and(|found| usize::try_from(found.body) == Ok(body)))
    }

    /// Moves what is pulled at, or the camera.
    fn drag(&mut self, action: Mouse, dx: f64, dy: f64) -> Result<(), SceneError> {
        if self.view.perturb.active == 0 {
            return self.move_camera(action, dx, dy);
        }
        let Snapshot { model, data, .. } = self.snapshot;
        mjv_move_perturb(model, data, action as i32, dx, dy, self.scene, &mut self.view.perturb)
    }

    fn move_camera(&mut self, action: Mouse, dx: f64, dy: f64) -> Result<(), SceneError> {
        let model = &self.snapshot.model;
        // a camera of the model cannot be moved: a user who tries wants a free one
        mjv_move_camera(model, action as i32, dx, dy, self.scene, &mut self.view.camera)
    }

    /// Begins to turn the selected body, or to move it.
    fn begin_pull(&mut self, turn: bool) -> Result<(), SceneError> {
        let Snapshot { model, data, .. } = self.snapshot;
        mjv_init_perturb(model, data, self.scene, &mut self.view.perturb)?;
        self.view.perturb.active = if turn { PertBit::Rotate as i32 } else { PertBit::Translate as i32 };
        Ok(())
    }

    /// What is under the mouse.
    fn pick_under(&self, response: &Response) -> Result<Option<Selection>, SceneError> {
        response.interact_pointer_pos().map_or(Ok(None), |pos| self.pick(pos, response.rect))
    }

    /// What is at a position of the picture.
    fn pick(&self, pos: egui::Pos2, rect: egui::Rect) -> Result<Option<Selection>, SceneError> {
        let aspect = f64::from(rect.width() / rect.height().max(1.0));
        let x = f64::from((pos.x - rect.left()) / rect.width().max(1.0));
        let y = f64::from((rect.bottom() - pos.y) / rect.height().max(1.0));
        let Snapshot { model, data, .. } = self.snapshot;
        mjv_select(model, data, &self.view.option, aspect, x, y, self.scene)
    }

    /// Selects what is under the mouse, or nothing.
    fn select(&mut self, response: &Response) -> Result<(), SceneError> {
        let picked = self.pick_under(response)?;
        let perturb = &mut self.view.perturb;
        *perturb = Default::default();
        if let Some(found) = picked.filter(|found| found.body > 0) {
            (perturb.select, perturb.flexselect, perturb.skinselect) = (found.body, found.flex, found.skin);
            perturb.localpos = local(self.snapshot, found.body as usize, found.point);
        }
        Ok(())
    }

    /// Looks at the point under the mouse, or follows its body.
    fn look_at(&mut self, response: &Response, follow: bool) -> Result<(), SceneError> {
        let Some(found) = self.pick_under(response)? else { return Ok(()) };
        if follow && found.body > 0 {
            CameraChoice::Tracking(found.body as usize).apply(self.view);
        } else {
            CameraChoice::Free.apply(self.view);
            self.view.camera.lookat = found.point;
        }
        Ok(())
    }
}

/// A point of the world in the frame of a body.
fn local(snapshot: &Snapshot, body: usize, point: [f64; 3]) -> [f64; 3] {
    let (pos, mat) = (snapshot.data.xpos[body], snapshot.data.xmat[body]);
    let away: [f64; 3] = std::array::from_fn(|k| point[k] - pos[k]);
    std::array::from_fn(|column| (0..3).map(|row| mat[3 * row + column] * away[row]).sum())
}

/// What dragging with a button does: left turns, right moves, the middle one zooms; with shift in the
/// horizontal plane.
fn action(response: &Response, shift: bool) -> Option<Mouse> {
    let (turn, shift_view) =
        if shift { (Mouse::RotateH, Mouse::MoveH) } else { (Mouse::RotateV, Mouse::MoveV) };
    if response.dragged_by(PointerButton::Primary) {
        Some(turn)
    } else if response.dragged_by(PointerButton::Secondary) {
        Some(shift_view)
    } else {
        response.dragged_by(PointerButton::Middle).then_some(Mouse::Zoom)
    }
}
