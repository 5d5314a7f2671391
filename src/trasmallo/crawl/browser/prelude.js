(() => {
  // Closed shadow trees are opened, so that their text can be written down.
  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (options) { return attach.call(this, { ...options, mode: "open" }); };
  // What would leave the page, outlive it or wait for a person does nothing.
  window.open = () => null;
  window.print = () => {};
  for (const name of ["alert", "confirm", "prompt"]) window[name] = () => null;
  try { Object.defineProperty(Navigator.prototype, "serviceWorker", { get: () => undefined, configurable: false }); } catch (error) { /* none there */ }
  try { navigator.sendBeacon = () => true; } catch (error) { /* none there */ }
  for (const name of ["WebSocket", "EventSource", "RTCPeerConnection", "webkitRTCPeerConnection", "WebTransport", "SharedWorker"]) {
    try { window[name] = class { constructor() { throw new DOMException("refused", "SecurityError"); } }; } catch (error) { /* none there */ }
  }
})();
