//! Drawing off screen, with the renderer of this engine: no OpenGL is needed. Windows that programs have made
//! are not drawn into.

use super::contexts::{ContextPtr, RGB, forget, make, show_font, with, with_current};
use super::figure::Figure;
use crate::export;
use crate::ffi::fault::{Failed, Served, fault, unsupported};
use crate::ffi::handle::ModelPtr;
use crate::ffi::pointer::{In, Out, Text, count};
use crate::ffi::scene::ScenePtr;
use crate::ffi::words::Place;
use crate::layout::context::AUX;
use kinetree_model::Model;
use kinetree_render::canvas::{GridPos, MjrRect, mjr_find_rect};
use kinetree_render::gpu::DrawBuffer;

const WINDOW: &str =
    "drawing into a window of OpenGL; draw off screen, after mjr_setBuffer(mjFB_OFFSCREEN, con)";
/// `mjFB_WINDOW` and `mjFB_OFFSCREEN`.
const FB_WINDOW: i32 = 0;
const FB_OFFSCREEN: i32 = 1;
/// `mjDEPTH_ZERONEAR`.
const ZERO_NEAR: i32 = 0;
/// `GL_RGBA`, `GL_BGR`, `GL_BGRA`.
const RGBA: i32 = 0x1908;
const BGR: i32 = 0x80E0;
const BGRA: i32 = 0x80E1;

impl Failed for MjrRect {
    fn failed() -> Self {
        Self::default()
    }
}

/// A model whose indices can be followed.
fn sound(m: ModelPtr<'_>) -> Served<&Model> {
    let model = m.get()?;
    model.check_indices()?;
    Ok(model)
}

/// Takes what a model brings along again, of which one thing has changed.
fn upload(m: ModelPtr<'_>, con: ContextPtr<'_>, index: i32, what: &str, size: fn(&Model) -> usize) -> Served {
    let model = sound(m)?;
    let number = size(model);
    if usize::try_from(index).is_ok_and(|index| index < number) {
        return with(con.get()?, |con| Ok(con.upload(model)?));
    }
    fault(format!("invalid {what} index {index}: the model has {number}"))
}

fn aux_index(index: i32) -> Served<usize> {
    match usize::try_from(index) {
        Ok(at) if at < AUX => Ok(at),
        _ => fault(format!("invalid auxiliary buffer {index}: there are {AUX}")),
    }
}

fn color<const N: usize>(values: [f32; N]) -> [f64; N] {
    values.map(f64::from)
}

/// Pixels in the order that a context asks for.
fn arranged(rgb: Vec<u8>, format: i32) -> Served<Vec<u8>> {
    let pixels = rgb.chunks_exact(3);
    match format {
        RGB => Ok(rgb),
        BGR => Ok(pixels.flat_map(|p| [p[2], p[1], p[0]]).collect()),
        RGBA => Ok(pixels.flat_map(|p| [p[0], p[1], p[2], 255]).collect()),
        BGRA => Ok(pixels.flat_map(|p| [p[2], p[1], p[0], 255]).collect()),
        _ => fault(format!(
            "readPixelFormat {format:#x} is not served: it is GL_RGB (0x1907), GL_RGBA (0x1908), GL_BGR (0x80E0) or \
             GL_BGRA (0x80E1)"
        )),
    }
}

export! {
    fn mjr_makeContext(m: ModelPtr<'_>, con: ContextPtr<'_>, fontscale: i32) {
        let model = if m.is_null() { None } else { Some(sound(m)?) };
        let record = con.get()?;
        forget(record);
        con.clear()?;
        make(model, record, fontscale)
    }
    fn mjr_freeContext(con: ContextPtr<'_>) {
        forget(con.get()?);
        con.clear()
    }
    fn mjr_changeFont(fontscale: i32, con: ContextPtr<'_>) {
        let record = con.get()?;
        let font = with(record, |con| {
            con.set_font(fontscale);
            Ok(con.font())
        })?;
        show_font(record, font);
        Ok(())
    }
    fn mjr_addAux(index: i32, width: i32, height: i32, samples: i32, con: ContextPtr<'_>) {
        let (record, at) = (con.get()?, aux_index(index)?);
        with(record, |con| Ok(con.add_aux(at, [width, height], DrawBuffer::Offscreen)?))?;
        let made = width > 0 && height > 0;
        let size = if made { [width, height, samples.max(0)] } else { [0; 3] };
        [record.auxWidth[at], record.auxHeight[at], record.auxSamples[at]] = size;
        Ok(())
    }
    fn mjr_setAux(index: i32, con: ContextPtr<'_>) {
        let at = aux_index(index)?;
        // one that was not added is left alone
        with(con.get()?, |con| if con.aux(at).is_ok() { Ok(con.choose(DrawBuffer::Aux(at))?) } else { Ok(()) })
    }
    fn mjr_blitAux(index: i32, src: MjrRect, left: i32, bottom: i32, con: ContextPtr<'_>) {
        let at = aux_index(index)?;
        with(con.get()?, |con| {
            if con.aux(at).is_ok() { Ok(con.blit_aux(at, src, [left, bottom], DrawBuffer::Offscreen)?) } else { Ok(()) }
        })
    }
    fn mjr_resizeOffscreen(width: i32, height: i32, con: ContextPtr<'_>) {
        let record = con.get()?;
        with(record, |con| Ok(con.resize(width, height)?))?;
        (record.offWidth, record.offHeight) = (width, height);
        Ok(())
    }
    fn mjr_uploadTexture(m: ModelPtr<'_>, con: ContextPtr<'_>, texid: i32) {
        upload(m, con, texid, "texture", |m| m.ntex)
    }
    fn mjr_uploadMesh(m: ModelPtr<'_>, con: ContextPtr<'_>, meshid: i32) {
        upload(m, con, meshid, "mesh", |m| m.nmesh)
    }
    fn mjr_uploadHField(m: ModelPtr<'_>, con: ContextPtr<'_>, hfieldid: i32) {
        upload(m, con, hfieldid, "height field", |m| m.nhfield)
    }
    fn mjr_restoreBuffer(con: ContextPtr<'_>) {
        with(con.get()?, |con| Ok(con.choose(DrawBuffer::Offscreen)?))
    }
    fn mjr_setBuffer(framebuffer: i32, con: ContextPtr<'_>) {
        match framebuffer {
            FB_WINDOW => return unsupported(WINDOW),
            FB_OFFSCREEN => {}
            _ => return fault(format!("invalid framebuffer {framebuffer}: it is mjFB_WINDOW or mjFB_OFFSCREEN")),
        }
        let record = con.get()?;
        with(record, |con| Ok(con.choose(DrawBuffer::Offscreen)?))?;
        record.currentBuffer = FB_OFFSCREEN;
        Ok(())
    }
    fn mjr_readPixels(rgb: Out<'_, u8>, depth: Out<'_, f32>, viewport: MjrRect, con: ContextPtr<'_>) {
        let record = con.get()?;
        if !rgb.is_null() {
            let read = with(record, |con| Ok(con.canvas(true, false)?.read_color(viewport)?))?;
            rgb.write(&arranged(read, record.readPixelFormat)?)?;
        }
        if !depth.is_null() {
            let zero_near = record.readDepthMap == ZERO_NEAR;
            depth.write(&with(record, |con| Ok(con.canvas(false, true)?.read_depth(viewport, zero_near)?))?)?;
        }
        Ok(())
    }
    fn mjr_drawPixels(rgb: In<'_, u8>, depth: In<'_, f32>, viewport: MjrRect, con: ContextPtr<'_>) {
        with(con.get()?, |con| {
            // before anything is read
            con.canvas(false, false)?.check(viewport)?;
            if let Some(rgb) = rgb.optional(3 * viewport.pixels())? {
                con.canvas(true, false)?.draw_color(viewport, rgb)?;
            }
            if let Some(depth) = depth.optional(viewport.pixels())? {
                con.canvas(false, true)?.draw_depth(viewport, depth)?;
            }
            Ok(())
        })
    }
    fn mjr_blitBuffer(_src: MjrRect, _dst: MjrRect, _color: i32, _depth: i32, _con: ContextPtr<'_>) {
        unsupported(WINDOW)
    }
    fn mjr_text(
        font: i32, txt: Text<'_>, con: ContextPtr<'_>, x: f32, y: f32, r: f32, g: f32, b: f32,
    ) {
        let txt = txt.get()?;
        with(con.get()?, |con| {
            let letters = con.font();
            con.canvas(true, false)?.text(letters, font, &txt, color([x, y]), color([r, g, b]));
            Ok(())
        })
    }
    fn mjr_overlay(
        font: i32, gridpos: i32, viewport: MjrRect, overlay: Text<'_>, overlay2: Text<'_>, con: ContextPtr<'_>,
    ) {
        let (first, second) = (overlay.or_empty(), overlay2.or_empty());
        with(con.get()?, |con| {
            let letters = con.font();
            con.canvas(true, false)?.overlay(viewport, letters, font, GridPos(gridpos), [&first, &second]);
            Ok(())
        })
    }
    fn mjr_maxViewport(con: ContextPtr<'_>) -> MjrRect {
        let record = con.get()?;
        Ok(MjrRect::new(0, 0, record.offWidth, record.offHeight))
    }
    fn mjr_rectangle(viewport: MjrRect, r: f32, g: f32, b: f32, a: f32) {
        with_current(|con| {
            con.canvas(true, false)?.fill(viewport, color([r, g, b, a]));
            Ok(())
        })
    }
    fn mjr_label(
        viewport: MjrRect, font: i32, txt: Text<'_>, r: f32, g: f32, b: f32, a: f32, rt: f32, gt: f32, bt: f32,
        con: ContextPtr<'_>,
    ) {
        let txt = txt.get()?;
        with(con.get()?, |con| {
            let letters = con.font();
            con.canvas(true, false)?.label(viewport, letters, font, &txt, color([r, g, b, a]), color([rt, gt, bt]));
            Ok(())
        })
    }
    fn mjr_figure(viewport: MjrRect, fig: Place<'_, Figure>, con: ContextPtr<'_>) {
        let fig = fig.get()?;
        let mut figure = fig.to_own();
        with(con.get()?, |con| {
            let letters = con.font();
            con.canvas(true, false)?.figure(viewport, &mut figure, letters);
            Ok(())
        })?;
        fig.take_axes(&figure);
        Ok(())
    }
    fn mjr_render(viewport: MjrRect, scn: ScenePtr<'_>, con: ContextPtr<'_>) {
        let record = con.get()?;
        scn.read(|scn| with(record, |con| Ok(con.render(viewport, scn)?)))
    }
    fn mjr_findRect(x: i32, y: i32, nrect: i32, rect: In<'_, MjrRect>) -> i32 {
        Ok(mjr_find_rect(x, y, rect.list(count(nrect))?).map_or(-1, |at| at as i32))
    }
    fn mjr_finish() { Ok(()) }
    fn mjr_getError() -> i32 { Ok(0) }
}
