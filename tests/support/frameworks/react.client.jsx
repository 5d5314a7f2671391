import React from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { BrowserRouter } from "react-router-dom";
import App from "./react.jsx";
const root = document.getElementById("root");
const app = <BrowserRouter><App /></BrowserRouter>;
if (root.firstChild) hydrateRoot(root, app); else createRoot(root).render(app);
