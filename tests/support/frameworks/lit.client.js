// Components with shadow trees, one inside the other, and children in slots; the shell has an own element and no root.
import { html, LitElement } from "lit";
import { article, BATCH, feed, later, numbers, whenSeen } from "./site.mjs";

class XFrame extends LitElement {
  static properties = { heading: {} };
  render() { return html`<section><h1>${this.heading}</h1><slot></slot></section>`; }
}
class XLine extends LitElement {
  static properties = { text: {}, href: {} };
  render() { return html`<p style="min-height:300px">${this.href ? html`<a href=${this.href}>${this.text}</a>` : this.text}</p>`; }
}
class XApp extends LitElement {
  static properties = { value: { state: true }, shown: { state: true } };
  constructor() {
    super();
    this.shown = BATCH;
    this.number = /article\/(\d+)$/.exec(location.pathname)?.[1];
    if (this.number) later(`article-${this.number}`).then((come) => { this.value = come; });
  }
  updated() {
    const end = this.renderRoot.querySelector("#end");
    this.stop?.();
    if (end) this.stop = whenSeen(end, () => setTimeout(() => { this.shown += BATCH; }, 80));
  }
  render() {
    if (location.pathname.endsWith("feed"))
      return html`<x-frame heading="Noticias">${feed.slice(0, this.shown).map((each) => html`<x-line href=${`/lit/${each.href}`} text=${each.text}></x-line>`)}
        <div id="end" style="height:5px"></div></x-frame>`;
    if (this.number)
      return this.value ? html`<x-frame heading=${this.value.title}>${this.value.paragraphs.map((each) => html`<x-line text=${each}></x-line>`)}
        <a href="/lit/home">Índice</a></x-frame>` : html`<i></i>`;
    return html`<x-frame heading="Índice"><ul>${numbers.map((each) => html`<li><a href=${`/lit/article/${each}`}>Artículo ${each}</a></li>`)}</ul>
      <a href="/lit/feed">Noticias</a></x-frame>`;
  }
}
customElements.define("x-frame", XFrame);
customElements.define("x-line", XLine);
customElements.define("x-app", XApp);
