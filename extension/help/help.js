// The help page: only its title needs a script, the rest is filled by words.js and shortcuts.js.
"use strict";
document.title = `Trasmallo: ${globalThis.trasmallo.say("help_title")}`;
