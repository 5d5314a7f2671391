import { renderToString } from "solid-js/web";
import App from "./solid.jsx";
export const render = async (path) => renderToString(() => <App path={path} />);
