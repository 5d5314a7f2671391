import { make } from "./vue.js";
const root = document.getElementById("root");
make(location.pathname, Boolean(root.firstChild)).then((app) => app.mount(root));
