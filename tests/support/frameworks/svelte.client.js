import App from "./App.svelte";
const root = document.getElementById("root");
new App({ target: root, hydrate: Boolean(root.firstChild), props: { path: location.pathname } });
