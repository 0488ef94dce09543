// Sets the formulas of a page: Sphinx leaves them as \(...\) and \[...\] in elements of class math.
document.addEventListener("DOMContentLoaded", function () {
  document.querySelectorAll(".math").forEach(function (element) {
    if (element.querySelector(".katex")) return; // Sphinx loads this file twice where there are formulas
    var text = element.textContent.trim(), display = element.tagName === "DIV";
    text = text.replace(/^\\\(|\\\)$/g, "").replace(/^\\\[|\\\]$/g, "").trim();
    katex.render(text, element, { displayMode: display, throwOnError: false });
  });
});
