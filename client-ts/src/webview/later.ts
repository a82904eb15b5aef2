// What is drawn neither of an empty chat nor of a question, in a bundle of its own. Lit, the common looks and the guards of buttons are those of the page.
import "./ui/attached.js";
import "./ui/batch-bar.js";
import "./ui/chat-tabs.js";
import "./ui/consent-panel.js";
import "./ui/find-bar.js";
import "./ui/forms.js";
import "./ui/guest-panel.js";
import "./ui/guest-plan.js";
import "./ui/made-media.js";
import "./ui/markdown-block.js";
import "./ui/permits-panel.js";
import "./ui/removed-line.js";
import "./ui/shells-panel.js";
