//! Files that a description was read from and those that it names: what an editor watches.

use super::{Compiler, Origin, Spec};
use crate::vfs::{combine, strip_path};

impl Spec {
    /// Paths of the texts that this description was read from, and of its meshes, textures, height fields and
    /// skins; each once, whether or not it exists.
    pub fn files(&self) -> Vec<String> {
        let mut files: Vec<String> = self.sources.files.iter().map(|source| source.path.clone()).collect();
        let mesh_folder = |compiler: &Compiler| compiler.meshdir.clone();
        let texture_folder = |compiler: &Compiler| compiler.texturedir.clone();
        for mesh in self.meshes.values() {
            files.push(self.asset_path(&mesh.origin, mesh_folder, &mesh.file));
        }
        for skin in self.skins.values() {
            files.push(self.asset_path(&skin.origin, mesh_folder, &skin.file));
        }
        for hfield in self.hfields.values() {
            files.push(self.asset_path(&hfield.origin, mesh_folder, &hfield.file));
        }
        for texture in self.textures.values() {
            for file in std::iter::once(&texture.file).chain(&texture.cubefiles) {
                files.push(self.asset_path(&texture.origin, texture_folder, file));
            }
        }
        files.retain(|path| !path.is_empty());
        files.sort_unstable();
        files.dedup();
        files
    }

    /// Where a file of an asset is looked for; empty for an asset without a file.
    fn asset_path(&self, origin: &Origin, folder: impl Fn(&Compiler) -> String, file: &str) -> String {
        if file.is_empty() {
            return String::new();
        }
        let compiler = self.compiler_of(origin);
        let file = if self.compiler().strippath { strip_path(file) } else { file };
        combine(&compiler.modelfiledir, &combine(&folder(compiler), file))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_texts_and_assets_once() -> Result<(), crate::Diagnostics> {
        let xml = r#"<mujoco><compiler meshdir="parts" texturedir="skins"/>
            <asset><mesh name="a" file="arm.obj"/><mesh name="b" file="arm.obj"/><texture name="t" type="2d" file="wood.png"/>
            <texture name="plain" type="2d" builtin="flat" width="1" height="1"/></asset></mujoco>"#;
        let spec = Spec::from_xml_string_at(xml, "/robot/", None)?;
        assert_eq!(spec.files(), ["/robot/parts/arm.obj", "/robot/skins/wood.png"]);
        Ok(())
    }
}
