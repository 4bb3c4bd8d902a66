//! Which integers of a `Model` are indices, and into what: one line each, the single source for their check.

/// Passes rules about index-valued arrays of `Model` to the macro `$with`, in three groups: ids `field:
/// size;` that lie in `0..size`, ids that may also be −1, and runs `first + count: size;` of which none
/// reaches beyond `size` and which begin anywhere when they are empty.
///
/// Indices that count within a flex are checked in `flex_indices`.
macro_rules! for_each_index_rule {
    ($with:ident) => {
        $with! {
        {
            body_rootid: nbody;
            body_weldid: nbody;
            jnt_bodyid: nbody;
            dof_bodyid: nbody;
            dof_jntid: njnt;
            dof_Madr: nM;
            geom_bodyid: nbody;
            site_bodyid: nbody;
            cam_bodyid: nbody;
            light_bodyid: nbody;
            flex_nodebodyid: nbody;
            flexedge_J_colind: nv;
            flexvert_J_colind: nv;
            mesh_face: nmeshvert;
            mesh_polyvert: nmeshvert;
            mesh_polymap: nmeshpoly;
            skin_face: nskinvert;
            skin_bonebodyid: nbody;
            skin_bonevertid: nskinvert;
            pair_geom1: ngeom;
            pair_geom2: ngeom;
            ten_J_colind: nv;
            name_bodyadr: nnames;
            name_jntadr: nnames;
            name_geomadr: nnames;
            name_siteadr: nnames;
            name_camadr: nnames;
            name_lightadr: nnames;
            name_flexadr: nnames;
            name_meshadr: nnames;
            name_skinadr: nnames;
            name_hfieldadr: nnames;
            name_texadr: nnames;
            name_matadr: nnames;
            name_pairadr: nnames;
            name_excludeadr: nnames;
            name_eqadr: nnames;
            name_tendonadr: nnames;
            name_actuatoradr: nnames;
            name_sensoradr: nnames;
            name_numericadr: nnames;
            name_textadr: nnames;
            name_tupleadr: nnames;
            name_keyadr: nnames;
            name_pluginadr: nnames;
            plugin_attradr: npluginattr;
            B_colind: nv;
            M_colind: nv;
            mapM2M: nM;
            D_colind: nv;
            mapD2M: nD;
        }
        {
            body_mocapid: nmocap;
            body_treeid: ntree;
            dof_treeid: ntree;
            geom_matid: nmat;
            site_matid: nmat;
            cam_targetbodyid: nbody;
            light_targetbodyid: nbody;
            light_texid: ntex;
            flex_matid: nmat;
            flex_vertbodyid: nbody;
            flex_texcoordadr: nflextexcoord;
            mesh_texcoordadr: nmeshtexcoord;
            mesh_graphadr: nmeshgraph;
            mesh_pathadr: npaths;
            skin_matid: nmat;
            skin_texcoordadr: nskintexvert;
            skin_pathadr: npaths;
            hfield_pathadr: npaths;
            tex_pathadr: npaths;
            mat_texid: ntex;
            tendon_matid: nmat;
            tendon_treeid: ntree;
            body_plugin: nplugin;
            geom_plugin: nplugin;
            actuator_plugin: nplugin;
            sensor_plugin: nplugin;
            mapM2D: nC;
        }
        {
            body_jntadr + body_jntnum: njnt;
            body_dofadr + body_dofnum: nv;
            body_geomadr + body_geomnum: ngeom;
            body_bvhadr + body_bvhnum: nbvh;
            tree_bodyadr + tree_bodynum: nbody;
            tree_dofadr + tree_dofnum: nv;
            flex_nodeadr + flex_nodenum: nflexnode;
            flex_vertadr + flex_vertnum: nflexvert;
            flex_edgeadr + flex_edgenum: nflexedge;
            flex_elemadr + flex_elemnum: nflexelem;
            flex_evpairadr + flex_evpairnum: nflexevpair;
            flex_bvhadr + flex_bvhnum: nbvh;
            flexedge_J_rowadr + flexedge_J_rownnz: nJfe;
            mesh_vertadr + mesh_vertnum: nmeshvert;
            mesh_faceadr + mesh_facenum: nmeshface;
            mesh_bvhadr + mesh_bvhnum: nbvh;
            mesh_octadr + mesh_octnum: noct;
            mesh_normaladr + mesh_normalnum: nmeshnormal;
            mesh_polyadr + mesh_polynum: nmeshpoly;
            mesh_polyvertadr + mesh_polyvertnum: nmeshpolyvert;
            mesh_polymapadr + mesh_polymapnum: nmeshpolymap;
            skin_vertadr + skin_vertnum: nskinvert;
            plugin_stateadr + plugin_statenum: npluginstate;
            skin_faceadr + skin_facenum: nskinface;
            skin_boneadr + skin_bonenum: nskinbone;
            skin_bonevertadr + skin_bonevertnum: nskinbonevert;
            tendon_adr + tendon_num: nwrap;
            ten_J_rowadr + ten_J_rownnz: nJten;
            actuator_actadr + actuator_actnum: na;
            sensor_adr + sensor_dim: nsensordata;
            numeric_adr + numeric_size: nnumericdata;
            text_adr + text_size: ntextdata;
            tuple_adr + tuple_size: ntupledata;
            B_rowadr + B_rownnz: nB;
            M_rowadr + M_rownnz: nC;
            D_rowadr + D_rownnz: nD;
        }
        }
    };
}
pub(crate) use for_each_index_rule;
