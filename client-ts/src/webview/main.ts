import { editorHost } from "./host.js";
import { startPage } from "./page.js";

startPage(editorHost(), document.body);
