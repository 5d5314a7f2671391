import App from "./App.svelte";
export const render = async (path) => App.render({ path }).html;
