// PDF as a page: a section for each of its pages, a paragraph for lines that stand close together.
"use strict";
(function (trasmallo) {
  const MOST_PAGES = 2000;
  // A gap of more than this many line heights begins a paragraph; what is set within half a line is one line.
  // Type of another size, by this share, is another paragraph.
  const GAP = 1.6, SAME = 0.5, OTHER_SIZE = 0.2;

  // The lines of a page, from its pieces of text in the order of the file.
  function linesOf(items) {
    const lines = [];
    for (const item of items) {
      const high = item.height || lines.at(-1)?.high || 10, y = item.transform[5], last = lines.at(-1);
      if (last && Math.abs(last.y - y) < SAME * high) {
        last.text += item.str;
        last.high = Math.max(last.high, high);
      } else if (item.str.trim()) {
        lines.push({ text: item.str, y, high });
      }
      if (item.hasEOL && lines.length) lines.at(-1).text += " ";
    }
    return lines;
  }

  function areApart(above, below) {
    const gap = above.y - below.y, differ = Math.abs(below.high - above.high) > OTHER_SIZE * above.high;
    return differ || gap < 0 || gap > GAP * Math.max(below.high, above.high);
  }

  // A word that was parted at the end of a line is one word again.
  function join(text, line) {
    const parted = /\p{Ll}-\s*$/u.test(text) && /^\p{Ll}/u.test(line);
    return parted ? text.trimEnd().slice(0, -1) + line : `${text} ${line}`;
  }

  function paragraphsOf(lines) {
    const paragraphs = [];
    lines.forEach((line, place) => {
      if (!place || areApart(lines[place - 1], line)) paragraphs.push("");
      paragraphs.push(join(paragraphs.pop(), line.text));
    });
    return paragraphs.map(text => text.replace(/\s+/g, " ").trim()).filter(Boolean);
  }

  async function sectionOf(page) {
    const { items } = await page.getTextContent();
    const section = document.createElement("section");
    for (const text of paragraphsOf(linesOf(items))) {
      const paragraph = document.createElement("p");
      paragraph.textContent = text;
      section.append(paragraph);
    }
    page.cleanup();
    return section;
  }

  // A fragment; null when it is no PDF that can be read.
  async function readPdf(octets) {
    const pdfjs = await import("../vendor/pdfjs/pdf.min.mjs");
    pdfjs.GlobalWorkerOptions.workerSrc = new URL("../vendor/pdfjs/pdf.worker.min.mjs", document.baseURI).href;
    const whole = document.createDocumentFragment();
    const task = pdfjs.getDocument({ data: octets, isEvalSupported: false, disableFontFace: true, useSystemFonts: false });
    try {
      const file = await task.promise;
      for (let number = 1; number <= Math.min(file.numPages, MOST_PAGES); number++) {
        whole.append(await sectionOf(await file.getPage(number)));
      }
      return whole;
    } catch {
      return null;
    } finally {
      await task.destroy();
    }
  }

  trasmallo.readPdf = readPdf;
})((globalThis.trasmallo = globalThis.trasmallo || {}));
