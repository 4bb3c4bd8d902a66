//! `mjModel`: the sizes, options and array pointers of a model, in the order of the header.

#![allow(non_snake_case)] // fields carry the names of the header

use super::Flat;
use kinetree_model::{Model, Opt, Statistic, Visual};
use std::ffi::{c_char, c_void};

/// Makes the struct, and what points its arrays at those of a model.
macro_rules! model_mirror {
    (sizes { $( $size:ident )* } arrays { $( $name:ident: $t:ty; )* }) => {
        /// A compiled model as C programs see it.
        #[repr(C)]
        pub struct MjModel {
            $( pub $size: i64, )*
            pub opt: Opt,
            pub vis: Visual,
            pub stat: Statistic,
            /// Leads to the handle that owns the model.
            pub buffer: *mut c_void,
            $( pub $name: *mut $t, )*
            pub signature: u64,
        }

        impl MjModel {
            /// A view of a model, whose buffer is not set yet.
            pub fn of(model: &mut Model) -> Self {
                Self {
                    $( $size: model.$size as i64, )*
                    opt: model.opt.clone(),
                    vis: model.vis.clone(),
                    stat: model.stat.clone(),
                    buffer: std::ptr::null_mut(),
                    signature: model.signature(),
                    $( $name: Flat::<$t>::flat(&mut model.$name[..]), )*
                }
            }

            /// Writes the sizes anew, of which some may have been set.
            pub fn refresh_sizes(&mut self, model: &Model) {
                $( self.$size = model.$size as i64; )*
            }

            /// Whether the sizes are those of a model.
            pub fn shows_sizes(&self, model: &Model) -> bool {
                [$( self.$size == model.$size as i64, )*].into_iter().all(|same| same)
            }

            /// Offset of each field in bytes, by its name.
            pub const OFFSETS: &'static [(&'static str, usize)] = &[
                $( (stringify!($size), std::mem::offset_of!(Self, $size)), )*
                ("opt", std::mem::offset_of!(Self, opt)),
                ("vis", std::mem::offset_of!(Self, vis)),
                ("stat", std::mem::offset_of!(Self, stat)),
                ("buffer", std::mem::offset_of!(Self, buffer)),
                $( (stringify!($name), std::mem::offset_of!(Self, $name)), )*
                ("signature", std::mem::offset_of!(Self, signature)),
            ];
        }
    };
}

model_mirror! {
    sizes {
        nq nv nu na nbody nbvh nbvhstatic nbvhdynamic noct njnt ntree nM nB nC nD ngeom nsite ncam nlight
        nflex nflexnode nflexvert nflexedge nflexelem nflexelemdata nflexstiffness nflexelemedge
        nflexshelldata nflexevpair nflextexcoord nJfe nJfv nmesh nmeshvert nmeshnormal nmeshtexcoord
        nmeshface nmeshgraph nmeshpoly nmeshpolyvert nmeshpolymap nskin nskinvert nskintexvert nskinface
        nskinbone nskinbonevert nhfield nhfielddata ntex ntexdata nmat npair nexclude neq ntendon nJten nwrap
        nsensor nnumeric nnumericdata ntext ntextdata ntuple ntupledata nkey nmocap nplugin npluginattr
        nuser_body nuser_jnt nuser_geom nuser_site nuser_cam nuser_tendon nuser_actuator nuser_sensor nnames
        npaths nnames_map nJmom ngravcomp nemax njmax nconmax nuserdata nsensordata npluginstate nhistory
        narena nbuffer
    }
    arrays {
        qpos0: f64; qpos_spring: f64; body_parentid: i32; body_rootid: i32; body_weldid: i32;
        body_mocapid: i32; body_jntnum: i32; body_jntadr: i32; body_dofnum: i32; body_dofadr: i32;
        body_treeid: i32; body_geomnum: i32; body_geomadr: i32; body_simple: u8; body_sameframe: u8;
        body_pos: f64; body_quat: f64; body_ipos: f64; body_iquat: f64; body_mass: f64;
        body_subtreemass: f64; body_inertia: f64; body_invweight0: f64; body_gravcomp: f64; body_margin: f64;
        body_user: f64; body_plugin: i32; body_contype: i32; body_conaffinity: i32; body_bvhadr: i32;
        body_bvhnum: i32; bvh_depth: i32; bvh_child: i32; bvh_nodeid: i32; bvh_aabb: f64; oct_depth: i32;
        oct_child: i32; oct_aabb: f64; oct_coeff: f64; jnt_type: i32; jnt_qposadr: i32; jnt_dofadr: i32;
        jnt_bodyid: i32; jnt_actuatorid: i32; jnt_group: i32; jnt_limited: u8; jnt_actfrclimited: u8;
        jnt_actgravcomp: u8; jnt_solref: f64; jnt_solimp: f64; jnt_pos: f64; jnt_axis: f64;
        jnt_stiffness: f64; jnt_stiffnesspoly: f64; jnt_range: f64; jnt_actfrcrange: f64; jnt_margin: f64;
        jnt_user: f64; dof_bodyid: i32; dof_jntid: i32; dof_parentid: i32; dof_treeid: i32; dof_Madr: i32;
        dof_simplenum: i32; dof_solref: f64; dof_solimp: f64; dof_frictionloss: f64; dof_armature: f64;
        dof_damping: f64; dof_dampingpoly: f64; dof_invweight0: f64; dof_M0: f64; dof_length: f64;
        tree_bodyadr: i32; tree_bodynum: i32; tree_dofadr: i32; tree_dofnum: i32; tree_sleep_policy: i32;
        geom_type: i32; geom_contype: i32; geom_conaffinity: i32; geom_condim: i32; geom_bodyid: i32;
        geom_dataid: i32; geom_matid: i32; geom_group: i32; geom_priority: i32; geom_plugin: i32;
        geom_sameframe: u8; geom_solmix: f64; geom_solref: f64; geom_solimp: f64; geom_size: f64;
        geom_aabb: f64; geom_rbound: f64; geom_pos: f64; geom_quat: f64; geom_friction: f64;
        geom_margin: f64; geom_gap: f64; geom_fluid: f64; geom_user: f64; geom_rgba: f32; site_type: i32;
        site_bodyid: i32; site_matid: i32; site_group: i32; site_sameframe: u8; site_size: f64;
        site_pos: f64; site_quat: f64; site_user: f64; site_rgba: f32; cam_mode: i32; cam_bodyid: i32;
        cam_targetbodyid: i32; cam_pos: f64; cam_quat: f64; cam_poscom0: f64; cam_pos0: f64; cam_mat0: f64;
        cam_projection: i32; cam_fovy: f64; cam_ipd: f64; cam_resolution: i32; cam_output: i32;
        cam_sensorsize: f32; cam_intrinsic: f32; cam_user: f64; light_mode: i32; light_bodyid: i32;
        light_targetbodyid: i32; light_type: i32; light_texid: i32; light_castshadow: u8;
        light_bulbradius: f32; light_intensity: f32; light_range: f32; light_active: u8; light_pos: f64;
        light_dir: f64; light_poscom0: f64; light_pos0: f64; light_dir0: f64; light_attenuation: f32;
        light_cutoff: f32; light_exponent: f32; light_ambient: f32; light_diffuse: f32; light_specular: f32;
        flex_contype: i32; flex_conaffinity: i32; flex_condim: i32; flex_priority: i32; flex_solmix: f64;
        flex_solref: f64; flex_solimp: f64; flex_friction: f64; flex_margin: f64; flex_gap: f64;
        flex_internal: u8; flex_selfcollide: i32; flex_activelayers: i32; flex_passive: i32; flex_dim: i32;
        flex_matid: i32; flex_group: i32; flex_interp: i32; flex_bandwidth: i32; flex_cellnum: i32;
        flex_nodeadr: i32; flex_nodenum: i32; flex_vertadr: i32; flex_vertnum: i32; flex_edgeadr: i32;
        flex_edgenum: i32; flex_elemadr: i32; flex_elemnum: i32; flex_elemdataadr: i32;
        flex_stiffnessadr: i32; flex_elemedgeadr: i32; flex_shellnum: i32; flex_shelldataadr: i32;
        flex_evpairadr: i32; flex_evpairnum: i32; flex_texcoordadr: i32; flex_nodebodyid: i32;
        flex_vertbodyid: i32; flex_vertedgeadr: i32; flex_vertedgenum: i32; flex_vertedge: i32;
        flex_edge: i32; flex_edgeflap: i32; flex_elem: i32; flex_elemtexcoord: i32; flex_elemedge: i32;
        flex_elemlayer: i32; flex_shell: i32; flex_evpair: i32; flex_vert: f64; flex_vert0: f64;
        flex_vertmetric: f64; flex_node: f64; flex_node0: f64; flexedge_length0: f64;
        flexedge_invweight0: f64; flex_radius: f64; flex_size: f64; flex_stiffness: f64; flex_bending: f64;
        flex_damping: f64; flex_edgestiffness: f64; flex_edgedamping: f64; flex_edgeequality: i32;
        flex_rigid: u8; flexedge_rigid: u8; flex_centered: u8; flex_flatskin: u8; flex_bvhadr: i32;
        flex_bvhnum: i32; flexedge_J_rownnz: i32; flexedge_J_rowadr: i32; flexedge_J_colind: i32;
        flexvert_J_rownnz: i32; flexvert_J_rowadr: i32; flexvert_J_colind: i32; flex_rgba: f32;
        flex_texcoord: f32; mesh_vertadr: i32; mesh_vertnum: i32; mesh_faceadr: i32; mesh_facenum: i32;
        mesh_bvhadr: i32; mesh_bvhnum: i32; mesh_octadr: i32; mesh_octnum: i32; mesh_normaladr: i32;
        mesh_normalnum: i32; mesh_texcoordadr: i32; mesh_texcoordnum: i32; mesh_graphadr: i32;
        mesh_vert: f32; mesh_normal: f32; mesh_texcoord: f32; mesh_face: i32; mesh_facenormal: i32;
        mesh_facetexcoord: i32; mesh_graph: i32; mesh_scale: f64; mesh_pos: f64; mesh_quat: f64;
        mesh_pathadr: i32; mesh_polynum: i32; mesh_polyadr: i32; mesh_polynormal: f64; mesh_polyvertadr: i32;
        mesh_polyvertnum: i32; mesh_polyvert: i32; mesh_polymapadr: i32; mesh_polymapnum: i32;
        mesh_polymap: i32; skin_matid: i32; skin_group: i32; skin_rgba: f32; skin_inflate: f32;
        skin_vertadr: i32; skin_vertnum: i32; skin_texcoordadr: i32; skin_faceadr: i32; skin_facenum: i32;
        skin_boneadr: i32; skin_bonenum: i32; skin_vert: f32; skin_texcoord: f32; skin_face: i32;
        skin_bonevertadr: i32; skin_bonevertnum: i32; skin_bonebindpos: f32; skin_bonebindquat: f32;
        skin_bonebodyid: i32; skin_bonevertid: i32; skin_bonevertweight: f32; skin_pathadr: i32;
        hfield_size: f64; hfield_nrow: i32; hfield_ncol: i32; hfield_adr: i32; hfield_data: f32;
        hfield_pathadr: i32; tex_type: i32; tex_colorspace: i32; tex_height: i32; tex_width: i32;
        tex_nchannel: i32; tex_adr: i64; tex_data: u8; tex_pathadr: i32; mat_texid: i32; mat_texuniform: u8;
        mat_texrepeat: f32; mat_emission: f32; mat_specular: f32; mat_shininess: f32; mat_reflectance: f32;
        mat_metallic: f32; mat_roughness: f32; mat_rgba: f32; pair_dim: i32; pair_geom1: i32;
        pair_geom2: i32; pair_signature: i32; pair_solref: f64; pair_solreffriction: f64; pair_solimp: f64;
        pair_margin: f64; pair_gap: f64; pair_friction: f64; exclude_signature: i32; eq_type: i32;
        eq_obj1id: i32; eq_obj2id: i32; eq_objtype: i32; eq_active0: u8; eq_solref: f64; eq_solimp: f64;
        eq_data: f64; tendon_adr: i32; tendon_num: i32; tendon_matid: i32; tendon_actuatorid: i32;
        tendon_group: i32; tendon_treenum: i32; tendon_treeid: i32; ten_J_rownnz: i32; ten_J_rowadr: i32;
        ten_J_colind: i32; tendon_limited: u8; tendon_actfrclimited: u8; tendon_width: f64;
        tendon_solref_lim: f64; tendon_solimp_lim: f64; tendon_solref_fri: f64; tendon_solimp_fri: f64;
        tendon_range: f64; tendon_actfrcrange: f64; tendon_margin: f64; tendon_stiffness: f64;
        tendon_stiffnesspoly: f64; tendon_damping: f64; tendon_dampingpoly: f64; tendon_armature: f64;
        tendon_frictionloss: f64; tendon_lengthspring: f64; tendon_length0: f64; tendon_invweight0: f64;
        tendon_user: f64; tendon_rgba: f32; wrap_type: i32; wrap_objid: i32; wrap_prm: f64;
        actuator_trntype: i32; actuator_dyntype: i32; actuator_gaintype: i32; actuator_biastype: i32;
        actuator_trnid: i32; actuator_damping: f64; actuator_dampingpoly: f64; actuator_armature: f64;
        actuator_actadr: i32; actuator_actnum: i32; actuator_group: i32; actuator_history: i32;
        actuator_historyadr: i32; actuator_delay: f64; actuator_ctrllimited: u8; actuator_forcelimited: u8;
        actuator_actlimited: u8; actuator_dynprm: f64; actuator_gainprm: f64; actuator_biasprm: f64;
        actuator_actearly: u8; actuator_ctrlrange: f64; actuator_forcerange: f64; actuator_actrange: f64;
        actuator_gear: f64; actuator_cranklength: f64; actuator_acc0: f64; actuator_length0: f64;
        actuator_lengthrange: f64; actuator_user: f64; actuator_plugin: i32; sensor_type: i32;
        sensor_datatype: i32; sensor_needstage: i32; sensor_objtype: i32; sensor_objid: i32;
        sensor_reftype: i32; sensor_refid: i32; sensor_intprm: i32; sensor_dim: i32; sensor_adr: i32;
        sensor_cutoff: f64; sensor_noise: f64; sensor_history: i32; sensor_historyadr: i32;
        sensor_delay: f64; sensor_interval: f64; sensor_user: f64; sensor_plugin: i32; plugin: i32;
        plugin_stateadr: i32; plugin_statenum: i32; plugin_attr: c_char; plugin_attradr: i32;
        numeric_adr: i32; numeric_size: i32; numeric_data: f64; text_adr: i32; text_size: i32;
        text_data: c_char; tuple_adr: i32; tuple_size: i32; tuple_objtype: i32; tuple_objid: i32;
        tuple_objprm: f64; key_time: f64; key_qpos: f64; key_qvel: f64; key_act: f64; key_mpos: f64;
        key_mquat: f64; key_ctrl: f64; name_bodyadr: i32; name_jntadr: i32; name_geomadr: i32;
        name_siteadr: i32; name_camadr: i32; name_lightadr: i32; name_flexadr: i32; name_meshadr: i32;
        name_skinadr: i32; name_hfieldadr: i32; name_texadr: i32; name_matadr: i32; name_pairadr: i32;
        name_excludeadr: i32; name_eqadr: i32; name_tendonadr: i32; name_actuatoradr: i32;
        name_sensoradr: i32; name_numericadr: i32; name_textadr: i32; name_tupleadr: i32; name_keyadr: i32;
        name_pluginadr: i32; names: c_char; names_map: i32; paths: c_char; B_rownnz: i32; B_rowadr: i32;
        B_colind: i32; M_rownnz: i32; M_rowadr: i32; M_colind: i32; mapM2M: i32; D_rownnz: i32;
        D_rowadr: i32; D_diag: i32; D_colind: i32; mapM2D: i32; mapD2M: i32;
    }
}
