// What every application of the test web shows: articles, a long list, and remarks that come late.
const people = ["molineros", "pastores", "arrieros", "tejedoras", "barqueros", "canteros", "herreras", "maestros"];
const places = ["el puerto nevado", "la vega baja", "el molino viejo", "la ermita alta", "el puente romano", "la fuente fría"];

const sentence = (number, kind) =>
  `${kind} ${number}: los ${people[number % 8]} de ${places[number % 6]} contaron ${number * 7 + 3} historias & "dichos" de <antaño>.`;

export const ARTICLES = 4;
export const article = (number) => ({
  title: `Artículo ${number} sobre ${places[number % 6]}`,
  paragraphs: Array.from({ length: 9 }, (_, index) => sentence(number * 10 + index, "Relato")),
});
export const feed = Array.from({ length: 60 }, (_, index) => ({ href: `item/${index}`, text: sentence(index, "Noticia") }));
export const remarks = Array.from({ length: 12 }, (_, index) => sentence(index, "Comentario"));
export const intro = "Un saludo breve antes de que lleguen los comentarios.";
export const BATCH = 10;
export const LATE = 1500;

const api = { remarks };
for (let number = 1; number <= ARTICLES; number++) api[`article-${number}`] = article(number);
export const data = api;

// In the browser data come late, by a request; a server has them.
export const onServer = typeof window === "undefined";
export const later = (name) =>
  new Promise((done) => setTimeout(done, LATE)).then(() => fetch(`/api/${name}.json`)).then((answer) => answer.json());
export const whenSeen = (element, act) => {
  const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && act());
  observer.observe(element);
  return () => observer.disconnect();
};
export const numbers = Array.from({ length: ARTICLES }, (_, index) => index + 1);
