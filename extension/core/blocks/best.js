"use strict";
(function (trasmallo) {
  trasmallo.content.best = { findBest: () => { throw new Error("not yet"); } };
})(globalThis.trasmallo);
