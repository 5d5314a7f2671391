import { createSignal, For, onMount, Show } from "solid-js";
import { BATCH, data, feed, later, numbers, onServer, whenSeen } from "./site.mjs";

function Home() {
  return <main><h1>Índice</h1><ul><For each={numbers}>{(each) => <li><a href={`/solid/article/${each}`}>Artículo {each}</a></li>}</For></ul>
    <a href="/solid/feed">Noticias</a></main>;
}
function Article(props) {
  const name = `article-${props.number}`;
  const [value, set] = createSignal(onServer ? data[name] : null);
  onMount(() => later(name).then(set));
  return <Show when={value()} fallback={<p class="spinner" />}>
    <article><h1>{value().title}</h1><For each={value().paragraphs}>{(each) => <p>{each}</p>}</For><a href="/solid/home">Índice</a></article></Show>;
}
function Feed() {
  const [shown, set] = createSignal(onServer ? feed.length : BATCH);
  let end;
  onMount(() => { let stop; const look = () => { stop?.(); stop = whenSeen(end, () => setTimeout(() => { set((now) => now + BATCH); look(); }, 80)); }; look(); });
  return <main><h1>Noticias</h1><For each={feed.slice(0, shown())}>{(each) => <p style="min-height:300px"><a href={`/solid/${each.href}`}>{each.text}</a></p>}</For>
    <div ref={end} style="height:5px" /></main>;
}
export default function App(props) {
  const number = /article\/(\d+)$/.exec(props.path)?.[1];
  if (number) return <Article number={number} />;
  return props.path.endsWith("feed") ? <Feed /> : <Home />;
}
