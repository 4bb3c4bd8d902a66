// What the page's engine has and the npm package has not: the viewer, and the handle of a model for it.
export { Viewer } from "./lib/glue.js";

/** The module's own model behind a `Model`. */
export const handleOf = (model) => model._views.handle;
