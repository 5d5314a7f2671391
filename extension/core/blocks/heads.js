// What the head of a page says: as read_head has it.
"use strict";
(function (trasmallo) {
  const { characters, flat } = trasmallo.content;
  const DESCRIPTIONS = new Set(["description", "og:description"]);

  // {title, description, article, product}
  function readHead(page) {
    let title = "", description = "", kind = "";
    for (let index = 0; index < page.tag.length && page.tag[index] !== "body"; index++) {
      if (page.tag[index] === "title") title = title || flat.innerText(page, index);
      if (page.tag[index] !== "meta") continue;
      const name = flat.attribute(page, index, "name") || flat.attribute(page, index, "property");
      const content = flat.attribute(page, index, "content") || "";
      if (DESCRIPTIONS.has(name)) description = description || characters.collapse(content);
      else if (name === "og:type") kind = characters.lower(content);
    }
    return { title, description, article: kind.includes("article"), product: kind.includes("product") };
  }

  trasmallo.content.heads = { readHead };
})(globalThis.trasmallo);
