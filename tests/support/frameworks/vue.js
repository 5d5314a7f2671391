import { createSSRApp, createApp, h, onMounted, onBeforeUnmount, ref, nextTick, watch } from "vue";
import { createMemoryHistory, createRouter, createWebHistory, RouterLink, RouterView, useRoute } from "vue-router";
import { BATCH, data, feed, intro, later, numbers, onServer, whenSeen } from "./site.mjs";

const late = (name, first) => {
  const value = ref(first);
  onMounted(() => later(name).then((come) => { value.value = come; }));
  return value;
};
const Home = { setup: () => () => h("main", [h("h1", "Índice"), h("ul", numbers.map((each) =>
  h("li", h(RouterLink, { to: `/vue/article/${each}` }, () => `Artículo ${each}`)))),
  h(RouterLink, { to: "/vue/feed" }, () => "Noticias"), " ", h(RouterLink, { to: "/vue/hydrated" }, () => "Comentarios")]) };
const Article = { setup() {
  const name = `article-${useRoute().params.number}`;
  const value = late(name, onServer ? data[name] : null);
  return () => value.value
    ? h("article", [h("h1", value.value.title), ...value.value.paragraphs.map((each) => h("p", each)), h(RouterLink, { to: "/vue/home" }, () => "Índice")])
    : h("p", { class: "spinner" });
} };
const Feed = { setup() {
  const shown = ref(onServer ? feed.length : BATCH), end = ref(null);
  let stop = () => {};
  const look = () => { stop(); stop = whenSeen(end.value, () => setTimeout(() => { shown.value += BATCH; }, 80)); };
  onMounted(look);
  onBeforeUnmount(() => stop());
  watch(shown, () => nextTick(look));
  return () => h("main", [h("h1", "Noticias"), ...feed.slice(0, shown.value).map((each) =>
    h("p", { style: "min-height: 300px" }, h("a", { href: `/vue/${each.href}` }, each.text))), h("div", { ref: end, style: "height: 5px" })]);
} };
const Hydrated = { setup() {
  const value = late("remarks", globalThis.WHOLE ? data.remarks : []);
  return () => h("main", [h("h1", "Comentarios"), h("p", intro), h("ul", value.value.map((each) => h("li", each))), h("a", { href: "/vue/home" }, "Índice")]);
} };

export const make = async (path, hydrates) => {
  const router = createRouter({
    history: onServer ? createMemoryHistory() : createWebHistory(),
    routes: [
      { path: "/vue/", redirect: "/vue/home" }, { path: "/vue/home", component: Home }, { path: "/vue/article/:number", component: Article },
      { path: "/vue/feed", component: Feed }, { path: "/vue/hydrated", component: Hydrated },
    ],
  });
  const app = (hydrates ? createSSRApp : createApp)({ setup: () => () => h(RouterView) });
  app.use(router);
  if (path) router.push(path);
  await router.isReady();
  return app;
};
