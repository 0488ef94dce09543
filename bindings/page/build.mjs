// Makes the page: node build.mjs SOURCE FOLDER OUTPUT. SOURCE is this folder, FOLDER holds node_modules, OUTPUT is one
// HTML text with style and script inside. The marker for the data stays where it is.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const [source, folder, output] = process.argv.slice(2);
const { buildSync } = createRequire(join(folder, "package.json"))("esbuild");

const built = buildSync({
  absWorkingDir: source, // a whole path would be read as a pattern
  entryPoints: ["main.js"],
  nodePaths: [join(folder, "node_modules")],
  bundle: true,
  minify: true,
  format: "iife",
  target: ["chrome111", "firefox114", "safari16.4"],
  legalComments: "none",
  banner: { js: "/* three.js: MIT license, copyright 2010-2026 three.js authors */" },
  write: false,
});

// A text in an inline script must not end the script.
const script = built.outputFiles[0].text.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
const style = readFileSync(join(source, "style.css"), "utf8");
const page = readFileSync(join(source, "page.html"), "utf8")
  .replace("/*style*/", () => style)
  .replace("/*script*/", () => script);
writeFileSync(output, page);
