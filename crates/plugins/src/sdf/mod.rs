//! The signed distance fields: a bolt and a nut that fits it, a bowl, a gear and a torus.
//!
//! A field is a formula in the frame of its geom. All but the torus approximate the distance; their gradients
//! are forward differences.

mod bowl;
mod gear;
mod screw;
mod torus;
mod trail;

pub use bowl::Bowl;
pub use gear::Gear;
pub use screw::{Bolt, Nut};
pub use torus::Torus;
use trail::draw_descents;

/// Implements [`Plugin`](kinetree_model::plugin::Plugin) for a kind of field: its name, its attributes with
/// defaults, a function from the configuration to a field and half sizes of its box, and optionally what
/// draws its descents.
macro_rules! field_plugin {
    ($(#[$doc:meta])* $name:ident = $text:literal, [$( $attribute:literal = $default:literal, $about:literal; )*], $make:expr $(, $draw:path)?) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $name;

        impl kinetree_model::plugin::Plugin for $name {
            fn name(&self) -> &str {
                $text
            }

            fn attributes(&self) -> &[kinetree_model::plugin::Attribute] {
                use kinetree_model::plugin::{Attribute, AttributeKind};
                static ATTRIBUTES: &[Attribute] =
                    &[$( Attribute::new($attribute, AttributeKind::Number, $default, $about) ),*];
                ATTRIBUTES
            }

            fn capabilities(&self) -> kinetree_model::plugin::Capabilities {
                kinetree_model::plugin::Capabilities::SDF
            }

            fn field(
                &self,
                config: &kinetree_model::plugin::PluginConfig,
            ) -> kinetree_model::plugin::PluginResult<kinetree_model::plugin::Field> {
                let make: fn(&kinetree_model::plugin::PluginConfig) -> Result<_, String> = $make;
                let (field, [x, y, z]) = make(config)?;
                Ok(kinetree_model::plugin::Field {
                    distance: std::sync::Arc::new(field),
                    aabb: [0.0, 0.0, 0.0, x, y, z],
                })
            }

            $(
                fn visualize(
                    &self,
                    view: &kinetree_model::plugin::PluginView<'_>,
                    _: &kinetree_model::plugin::PluginConfig,
                    canvas: &mut dyn kinetree_model::plugin::PluginCanvas,
                ) {
                    $draw(view, canvas);
                }
            )?
        }
    };
}
use field_plugin;
