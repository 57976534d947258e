"use strict";
// The page is readable without this script. The script moves text of a project, but never uses it as markup or code.
{
  const words = new Intl.Collator("en", {numeric: true});
  const turns = {none: "ascending", ascending: "descending", descending: "none"};

  // Heads become buttons: ascending, descending, and the original order. Missing values stay last.
  const sortable = table => {
    const body = table.tBodies[0], rows = [...body.rows], heads = [...table.tHead.rows[0].cells];
    if (rows.length < 2) return;
    const compared = (at, sign) => {
      const value = row => row.cells[at].dataset.v, text = row => row.cells[at].textContent;
      if (rows.every(row => value(row) === undefined))
        return (a, b) => sign * words.compare(text(a), text(b));
      return (a, b) => (value(a) === undefined) - (value(b) === undefined)
        || sign * (Number(value(a)) - Number(value(b))) || 0;
    };
    heads.forEach((head, at) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const turn = turns[head.getAttribute("aria-sort") || "none"];
        heads.forEach(other => other.removeAttribute("aria-sort"));
        if (turn !== "none") head.setAttribute("aria-sort", turn);
        body.append(...(turn === "none" ? rows : [...rows].sort(compared(at, turn === "ascending" ? 1 : -1))));
      });
    });
  };
  document.querySelectorAll("table.sorts").forEach(sortable);

  // Values of figures are shown under the pointer. The arrow keys move from one to the next.
  const tip = document.createElement("div");
  tip.className = "tip";
  tip.hidden = true;
  tip.setAttribute("aria-hidden", "true");
  document.body.append(tip);
  const hide = () => { tip.hidden = true; };
  const show = mark => {
    tip.textContent = mark.getAttribute("aria-label");
    tip.hidden = false;
    const at = mark.getBoundingClientRect(), room = document.documentElement.clientWidth - tip.offsetWidth - 4;
    const above = at.top - tip.offsetHeight - 4;
    tip.style.left = `${Math.max(4, Math.min(room, (at.left + at.right - tip.offsetWidth) / 2))}px`;
    tip.style.top = `${above < 4 ? at.bottom + 4 : above}px`;
  };
  const steps = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -Infinity, End: Infinity};
  for (const layer of document.querySelectorAll("svg .marks")) {
    const marks = [...layer.children];
    marks.forEach((mark, at) => {
      const title = mark.querySelector("title");
      mark.setAttribute("role", "img");
      mark.setAttribute("aria-label", title.textContent);
      mark.setAttribute("tabindex", at ? "-1" : "0");
      title.remove();
      mark.addEventListener("pointerenter", () => show(mark));
      mark.addEventListener("pointerleave", event => { if (event.pointerType === "mouse") hide(); });
      mark.addEventListener("focus", () => {
        marks.forEach(other => other.setAttribute("tabindex", other === mark ? "0" : "-1"));
        show(mark);
      });
      mark.addEventListener("blur", hide);
      mark.addEventListener("keydown", event => {
        if (event.key === "Escape") hide();
        if (!(event.key in steps)) return;
        event.preventDefault();
        marks[Math.max(0, Math.min(marks.length - 1, at + steps[event.key]))].focus();
      });
    });
  }
  addEventListener("scroll", hide, {passive: true});
}
