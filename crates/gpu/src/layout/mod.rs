//! Where things lie in buffers: parameters, states, working memory; made from the plan of a model.

pub(crate) mod buffer_layout;
pub(crate) mod lanes;
pub(crate) mod model_parameters;
