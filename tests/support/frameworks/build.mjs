// Bundles the applications of this folder and writes web.json: what a server sends, and for each page its twin.
//     node build.mjs SOURCES OUT   (with node_modules beside it)
import { createRequire } from "node:module";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [sources, out] = process.argv.slice(2);
const require = createRequire(pathToFileURL(join(process.cwd(), "x.js")));
const esbuild = require("esbuild");
const svelte = require("svelte/compiler");
const babel = require("@babel/core");
const { data, numbers } = await import(pathToFileURL(join(sources, "site.mjs")));

const components = (server) => ({ name: "components", setup(build) {
  build.onLoad({ filter: /\.svelte$/ }, ({ path }) => ({ loader: "js",
    contents: svelte.compile(readFileSync(path, "utf8"), { generate: server ? "ssr" : "dom", hydratable: true, filename: path }).js.code }));
  build.onLoad({ filter: /solid.*\.jsx$/ }, ({ path }) => ({ loader: "js",
    contents: babel.transformSync(readFileSync(path, "utf8"), { filename: path, configFile: false, babelrc: false,
      presets: [[require.resolve("babel-preset-solid"), server ? { generate: "ssr" } : {}]] }).code }));
} });
const bundle = (entry, server, name) => esbuild.build({
  entryPoints: [join(sources, entry)], bundle: true, outfile: join(out, server ? `${name}.server.mjs` : `${name}.js`), format: server ? "esm" : "iife",
  platform: server ? "node" : "browser", nodePaths: [join(process.cwd(), "node_modules")], plugins: [components(server)], minify: !server, logLevel: "error",
  conditions: server ? ["node"] : ["browser"], jsx: "transform", jsxFactory: "React.createElement", jsxFragment: "React.Fragment",
  define: { "process.env.NODE_ENV": '"production"', __VUE_OPTIONS_API__: "true", __VUE_PROD_DEVTOOLS__: "false", __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: "false" },
  banner: server ? { js: 'import { createRequire as makeRequire } from "node:module"; const require = makeRequire(import.meta.url);' } : {},
});
const page = (inner, script) => `<!doctype html><html lang="es"><head><meta charset="utf-8"><title>Aplicación</title></head><body>${inner}${
  script ? `<script src="/${script}.js" defer></script>` : ""}</body></html>`;

const kinds = { react: "jsx", vue: "js", svelte: "js", solid: "jsx", lit: "js" };
const files = {}, pages = [];
mkdirSync(out, { recursive: true });
for (const [name, value] of Object.entries(data)) files[`/api/${name}.json`] = ["application/json", JSON.stringify(value)];
for (const [kind, ending] of Object.entries(kinds)) {
  await bundle(`${kind}.client.${ending}`, false, kind);
  await bundle(`${kind}.server.${ending}`, true, kind);
  files[`/${kind}.js`] = ["text/javascript", readFileSync(join(out, `${kind}.js`), "utf8")];
  const { render } = await import(pathToFileURL(join(out, `${kind}.server.mjs`)));
  const shell = page(kind === "lit" ? "<x-app></x-app>" : '<div id="root"></div>', kind);
  const paths = ["home", ...numbers.map((number) => `article/${number}`), "feed"].map((path) => `/${kind}/${path}`);
  for (const path of paths) pages.push({ path, kind, sent: shell, twin: page(await render(path), "") });
  if (kind === "lit" || kind === "solid") continue;
  globalThis.WHOLE = false;
  const half = await render(`/${kind}/hydrated`);
  globalThis.WHOLE = true;
  pages.push({ path: `/${kind}/hydrated`, kind, sent: page(`<div id="root">${half}</div>`, kind), twin: page(await render(`/${kind}/hydrated`), "") });
  pages.push({ path: `/${kind}/`, kind, sent: shell, twin: page(await render(`/${kind}/home`), ""), leads: `/${kind}/home` });
  globalThis.WHOLE = false;
}
writeFileSync(join(out, "web.json"), JSON.stringify({ files, pages }));
