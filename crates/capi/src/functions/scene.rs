//! Scenes, cameras and perturbations.

use crate::export;
use crate::ffi::fault::{Failed, Served};
use crate::ffi::handle::{DataPtr, ModelPtr, run};
use crate::ffi::pointer::{In, Out, count};
use crate::ffi::scene::ScenePtr;
use crate::ffi::words::Room;
use crate::functions::figure::Figure;
use crate::layout::scene::GeomRecord;
use kinetree_model::{Model, Sizes};
use kinetree_render::scene::{
    self, HeadPose, MjvCamera, MjvGLCamera, MjvGeom, MjvOption, MjvPerturb, MjvScene, SceneError,
};

impl Failed for MjvGLCamera {
    fn failed() -> Self {
        Self::default()
    }
}

/// A pose and a viewing direction, each of which may be unwanted.
fn write_head(
    scn: ScenePtr<'_>,
    f: fn(&MjvScene) -> Result<HeadPose, SceneError>,
    [headpos, forward, up]: [Out<'_, f64>; 3],
) -> Served {
    let head = scn.read(|scn| Ok(f(scn)?))?;
    headpos.set_optional(head.headpos);
    forward.set_optional(head.forward);
    up.set_optional(head.up);
    Ok(())
}

/// Changes a struct of the program.
fn edit<T: Copy>(place: Out<'_, T>, f: impl FnOnce(&mut T) -> Served) -> Served {
    let [mut value] = place.array()?;
    f(&mut value)?;
    place.set([value])
}

export! {
    fn mjv_defaultCamera(cam: Out<'_, MjvCamera>) { cam.set([MjvCamera::default()]) }
    fn mjv_defaultOption(opt: Out<'_, MjvOption>) { opt.set([MjvOption::default()]) }
    fn mjv_defaultPerturb(pert: Out<'_, MjvPerturb>) { pert.set([MjvPerturb::default()]) }
    fn mjv_defaultFreeCamera(m: ModelPtr<'_>, cam: Out<'_, MjvCamera>) {
        let m = m.get()?;
        edit(cam, |cam| {
            scene::mjv_default_free_camera(m, cam);
            Ok(())
        })
    }
    fn mjv_defaultFigure(fig: Room<'_, Figure>) { fig.begin_with(Figure::fill) }
    fn mjv_defaultScene(scn: ScenePtr<'_>) { scn.begin() }
    fn mjv_makeScene(m: ModelPtr<'_>, scn: ScenePtr<'_>, maxgeom: i32) {
        // without a model, a scene has room for geoms only
        if m.is_null() {
            return scn.make(&Model::with_sizes(Sizes::default()), count(maxgeom));
        }
        scn.make(m.get()?, count(maxgeom))
    }
    fn mjv_freeScene(scn: ScenePtr<'_>) { scn.end() }
    fn mjv_updateScene(
        m: ModelPtr<'_>, d: DataPtr<'_>, opt: In<'_, MjvOption>, pert: In<'_, MjvPerturb>, cam: Out<'_, MjvCamera>,
        catmask: i32, scn: ScenePtr<'_>,
    ) {
        let (options, pert) = (opt, pert.optional_array::<1>()?);
        let [opt] = options.array()?;
        let pert = pert.as_ref().map(|[pert]| pert);
        edit(cam, |cam| {
            scn.update(false, |scn| run(m, d, |m, d| scene::mjv_update_scene(m, d, &opt, pert, cam, catmask, scn)))
        })?;
        crate::ffi::c_plugin::visualize(m, d, options.pointer().cast(), scn.pointer().cast())
    }
    fn mjv_addGeoms(
        m: ModelPtr<'_>, d: DataPtr<'_>, opt: In<'_, MjvOption>, pert: In<'_, MjvPerturb>, catmask: i32,
        scn: ScenePtr<'_>,
    ) {
        let ([opt], pert) = (opt.array()?, pert.optional_array::<1>()?);
        let pert = pert.as_ref().map(|[pert]| pert);
        scn.update(true, |scn| run(m, d, |m, d| scene::mjv_add_geoms(m, d, &opt, pert, catmask, scn)))
    }
    fn mjv_makeLights(m: ModelPtr<'_>, d: DataPtr<'_>, scn: ScenePtr<'_>) {
        scn.update(true, |scn| Ok(scene::mjv_make_lights(m.get()?, d.read()?, scn)?))
    }
    fn mjv_updateCamera(m: ModelPtr<'_>, d: DataPtr<'_>, cam: Out<'_, MjvCamera>, scn: ScenePtr<'_>) {
        edit(cam, |cam| scn.update(true, |scn| Ok(scene::mjv_update_camera(m.get()?, d.read()?, cam, scn)?)))
    }
    fn mjv_updateSkin(m: ModelPtr<'_>, d: DataPtr<'_>, scn: ScenePtr<'_>) {
        scn.update(true, |scn| Ok(scene::mjv_update_skin(m.get()?, d.read()?, scn)?))
    }
    fn mjv_updateActiveSkin(m: ModelPtr<'_>, d: DataPtr<'_>, scn: ScenePtr<'_>, opt: In<'_, MjvOption>) {
        let [opt] = opt.array()?;
        scn.update(true, |scn| Ok(scene::mjv_update_active_skin(m.get()?, d.read()?, scn, &opt)?))
    }
    fn mjv_updateActiveFlex(m: ModelPtr<'_>, d: DataPtr<'_>, scn: ScenePtr<'_>, opt: In<'_, MjvOption>) {
        let [opt] = opt.array()?;
        scn.update(true, |scn| Ok(scene::mjv_update_active_flex(m.get()?, d.read()?, scn, &opt)?))
    }
    fn mjv_room2model(
        modelpos: Out<'_, f64>, modelquat: Out<'_, f64>, roompos: In<'_, f64>, roomquat: In<'_, f64>, scn: ScenePtr<'_>,
    ) {
        let (pos, quat) = (roompos.array()?, roomquat.array()?);
        let (pos, quat) = scn.read(|scn| Ok(scene::mjv_room2model(&pos, &quat, scn)?))?;
        modelpos.set(pos)?;
        modelquat.set(quat)
    }
    fn mjv_model2room(
        roompos: Out<'_, f64>, roomquat: Out<'_, f64>, modelpos: In<'_, f64>, modelquat: In<'_, f64>, scn: ScenePtr<'_>,
    ) {
        let (pos, quat) = (modelpos.array()?, modelquat.array()?);
        let (pos, quat) = scn.read(|scn| Ok(scene::mjv_model2room(&pos, &quat, scn)?))?;
        roompos.set(pos)?;
        roomquat.set(quat)
    }
    fn mjv_cameraInModel(headpos: Out<'_, f64>, forward: Out<'_, f64>, up: Out<'_, f64>, scn: ScenePtr<'_>) {
        write_head(scn, scene::mjv_camera_in_model, [headpos, forward, up])
    }
    fn mjv_cameraInRoom(headpos: Out<'_, f64>, forward: Out<'_, f64>, up: Out<'_, f64>, scn: ScenePtr<'_>) {
        write_head(scn, scene::mjv_camera_in_room, [headpos, forward, up])
    }
    fn mjv_frustumHeight(scn: ScenePtr<'_>) -> f64 { scn.read(|scn| Ok(scene::mjv_frustum_height(scn)?)) }
    fn mjv_alignToCamera(res: Out<'_, f64>, vec: In<'_, f64>, forward: In<'_, f64>) {
        res.set(scene::mjv_align_to_camera(&vec.array()?, &forward.array()?))
    }
    fn mjv_moveCamera(
        m: ModelPtr<'_>, action: i32, reldx: f64, reldy: f64, scn: ScenePtr<'_>, cam: Out<'_, MjvCamera>,
    ) {
        let m = m.get()?;
        edit(cam, |cam| scn.read(|scn| Ok(scene::mjv_move_camera(m, action, reldx, reldy, scn, cam)?)))
    }
    fn mjv_movePerturb(
        m: ModelPtr<'_>, d: DataPtr<'_>, action: i32, reldx: f64, reldy: f64, scn: ScenePtr<'_>,
        pert: Out<'_, MjvPerturb>,
    ) {
        let (m, d) = (m.get()?, d.read()?);
        edit(pert, |pert| scn.read(|scn| Ok(scene::mjv_move_perturb(m, d, action, reldx, reldy, scn, pert)?)))
    }
    fn mjv_moveModel(m: ModelPtr<'_>, action: i32, reldx: f64, reldy: f64, roomup: In<'_, f64>, scn: ScenePtr<'_>) {
        let (m, up) = (m.get()?, roomup.array()?);
        scn.edit(|scn| Ok(scene::mjv_move_model(m, action, reldx, reldy, &up, scn)?))
    }
    fn mjv_initPerturb(m: ModelPtr<'_>, d: DataPtr<'_>, scn: ScenePtr<'_>, pert: Out<'_, MjvPerturb>) {
        let (m, d) = (m.get()?, d.read()?);
        edit(pert, |pert| scn.read(|scn| Ok(scene::mjv_init_perturb(m, d, scn, pert)?)))
    }
    fn mjv_applyPerturbPose(m: ModelPtr<'_>, d: DataPtr<'_>, pert: In<'_, MjvPerturb>, flg_paused: i32) {
        let [pert] = pert.array()?;
        run(m, d, |m, d| scene::mjv_apply_perturb_pose(m, d, &pert, flg_paused != 0))
    }
    fn mjv_applyPerturbForce(m: ModelPtr<'_>, d: DataPtr<'_>, pert: In<'_, MjvPerturb>) {
        let [pert] = pert.array()?;
        run(m, d, |m, d| scene::mjv_apply_perturb_force(m, d, &pert))
    }
    fn mjv_averageCamera(cam1: In<'_, MjvGLCamera>, cam2: In<'_, MjvGLCamera>) -> MjvGLCamera {
        let ([cam1], [cam2]) = (cam1.array()?, cam2.array()?);
        Ok(scene::mjv_average_camera(&cam1, &cam2)?)
    }
    fn mjv_select(
        m: ModelPtr<'_>, d: DataPtr<'_>, vopt: In<'_, MjvOption>, aspectratio: f64, relx: f64, rely: f64,
        scn: ScenePtr<'_>, selpnt: Out<'_, f64>, geomid: Out<'_, i32>, flexid: Out<'_, i32>, skinid: Out<'_, i32>,
    ) -> i32 {
        let ([opt], m, d) = (vopt.array()?, m.get()?, d.read()?);
        let found = scn.read(|scn| Ok(scene::mjv_select(m, d, &opt, aspectratio, relx, rely, scn)?))?;
        geomid.set_optional([found.as_ref().map_or(-1, |s| s.geom)]);
        flexid.set_optional([found.as_ref().map_or(-1, |s| s.flex)]);
        skinid.set_optional([found.as_ref().map_or(-1, |s| s.skin)]);
        if let Some(selection) = &found {
            selpnt.set_optional(selection.point);
        }
        Ok(found.map_or(-1, |s| s.body))
    }
    fn mjv_initGeom(
        geom: Out<'_, GeomRecord>, kind: i32, size: In<'_, f64>, pos: In<'_, f64>, mat: In<'_, f64>, rgba: In<'_, f32>,
    ) {
        let (size, pos) = (size.optional_array()?, pos.optional_array()?);
        let (mat, rgba) = (mat.optional_array()?, rgba.optional_array()?);
        let mut value = MjvGeom::default();
        scene::mjv_init_geom(&mut value, kind, size.as_ref(), pos.as_ref(), mat.as_ref(), rgba.as_ref());
        geom.set([GeomRecord::from(&value)])
    }
    fn mjv_connector(geom: Out<'_, GeomRecord>, kind: i32, width: f64, from: In<'_, f64>, to: In<'_, f64>) {
        let [record] = geom.array()?;
        let mut value = MjvGeom::from(&record);
        scene::mjv_connector(&mut value, kind, width, &from.array()?, &to.array()?)?;
        geom.set([GeomRecord::from(&value)])
    }
    fn mjv_cameraFrame(
        headpos: Out<'_, f64>, forward: Out<'_, f64>, up: Out<'_, f64>, right: Out<'_, f64>, d: DataPtr<'_>,
        cam: In<'_, MjvCamera>,
    ) {
        let [cam] = cam.array()?;
        let frame = scene::mjv_camera_frame(d.read()?, &cam)?;
        headpos.set_optional(frame.headpos);
        forward.set_optional(frame.forward);
        up.set_optional(frame.up);
        right.set_optional(frame.right);
        Ok(())
    }
    fn mjv_cameraFrustum(
        zver: Out<'_, f32>, zhor: Out<'_, f32>, zclip: Out<'_, f32>, m: ModelPtr<'_>, cam: In<'_, MjvCamera>,
    ) {
        let [cam] = cam.array()?;
        let frustum = scene::mjv_camera_frustum(m.get()?, &cam)?;
        zver.set_optional(frustum.zver);
        zhor.set_optional(frustum.zhor);
        zclip.set_optional(frustum.zclip);
        Ok(())
    }
}
