// The twin of the components, written by hand: a server would send the same without shadow trees.
import { article, feed, numbers } from "./site.mjs";
const text = (value) => value.replace(/&/g, "&amp;").replace(/</g, "&lt;");
export const render = async (path) => {
  const number = /article\/(\d+)$/.exec(path)?.[1];
  if (path.endsWith("feed")) return `<h1>Noticias</h1>${feed.map((each) => `<p><a href="/lit/${each.href}">${text(each.text)}</a></p>`).join("")}`;
  if (number) return `<h1>${article(number).title}</h1>${article(number).paragraphs.map((each) => `<p>${text(each)}</p>`).join("")}<a href="/lit/home">Índice</a>`;
  return `<h1>Índice</h1><ul>${numbers.map((each) => `<li><a href="/lit/article/${each}">Artículo ${each}</a></li>`).join("")}</ul><a href="/lit/feed">Noticias</a>`;
};
