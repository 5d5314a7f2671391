import React from "react";
import { renderToString } from "react-dom/server";
import { StaticRouter } from "react-router-dom/server";
import App from "./react.jsx";
export const render = async (path) => renderToString(<StaticRouter location={path}><App /></StaticRouter>);
