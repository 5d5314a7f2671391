import React, { useEffect, useRef, useState } from "react";
import { Link, Navigate, Route, Routes, useParams } from "react-router-dom";
import { BATCH, data, feed, intro, later, numbers, onServer, whenSeen } from "./site.mjs";

function useLate(name) {
  const [value, set] = useState(onServer ? data[name] : null);
  useEffect(() => { later(name).then(set); }, [name]);
  return value;
}
function Home() {
  return <main><h1>Índice</h1><ul>{numbers.map((each) => <li key={each}><Link to={`/react/article/${each}`}>Artículo {each}</Link></li>)}</ul>
    <Link to="/react/feed">Noticias</Link> <Link to="/react/hydrated">Comentarios</Link></main>;
}
function Article() {
  const value = useLate(`article-${useParams().number}`);
  if (!value) return <p className="spinner" />;
  return <article><h1>{value.title}</h1>{value.paragraphs.map((each) => <p key={each}>{each}</p>)}<Link to="/react/home">Índice</Link></article>;
}
function Feed() {
  const [shown, set] = useState(onServer ? feed.length : BATCH);
  const end = useRef(null);
  useEffect(() => whenSeen(end.current, () => setTimeout(() => set((now) => now + BATCH), 80)), [shown]);
  return <main><h1>Noticias</h1>{feed.slice(0, shown).map((each) =>
    <p key={each.href} style={{ minHeight: 300 }}><a href={`/react/${each.href}`}>{each.text}</a></p>)}<div ref={end} style={{ height: 5 }} /></main>;
}
function Hydrated() {
  const [value, set] = useState(globalThis.WHOLE ? data.remarks : []);
  useEffect(() => { later("remarks").then(set); }, []);
  return <main><h1>Comentarios</h1><p>{intro}</p><ul>{value.map((each) => <li key={each}>{each}</li>)}</ul><a href="/react/home">Índice</a></main>;
}
export default function App() {
  return <Routes>
    <Route path="/react/" element={<Navigate to="/react/home" />} />
    <Route path="/react/home" element={<Home />} />
    <Route path="/react/article/:number" element={<Article />} />
    <Route path="/react/feed" element={<Feed />} />
    <Route path="/react/hydrated" element={<Hydrated />} />
  </Routes>;
}
