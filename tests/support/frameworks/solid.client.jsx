import { render } from "solid-js/web";
import App from "./solid.jsx";
render(() => <App path={location.pathname} />, document.getElementById("root"));
