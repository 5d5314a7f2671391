import { renderToString } from "vue/server-renderer";
import { make } from "./vue.js";
export const render = async (path) => renderToString(await make(path, true));
