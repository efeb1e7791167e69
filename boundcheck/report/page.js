// Draws the figures from their numbers as they come into view: as wide as their place, with what a mark says under the
// pointer or, by the arrow keys, under the mark that is chosen. No library, and nothing is loaded.
(() => {
  const SVG = "http://www.w3.org/2000/svg", INCH = 84, FONT = 11, LETTER = 6.3, ROW = 15, NARROW = 260;
  const DASH = { dashed: "6 4", dashdot: "6 3 1 3", dotted: "2 3" };
  const INK = {
    "#000000": "--ink", "#0072b2": "--blue", "#d55e00": "--red", "#009e73": "--green", "#777777": "--grey",
    "#e69f00": "--orange", "#56b4e9": "--sky", "#cc79a7": "--purple",
  };
  const ink = (hex) => (INK[hex] ? `var(${INK[hex]})` : hex);

  function make(name, attributes, parent, text) {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (text !== undefined) element.textContent = text;
    if (parent) parent.append(element);
    return element;
  }

  const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";
  const raised = (n) => String(n).replace(/-/, "⁻").replace(/\d/g, (d) => RAISED[d]);
  function shown(v) {
    if (v === 0) return "0";
    const size = Math.abs(v);
    if (size >= 1e5 || size < 1e-3) {
      const [m, e] = v.toExponential(2).split("e");
      const mantissa = String(Number(m));
      return (mantissa === "1" ? "" : mantissa + "·") + "10" + raised(Number(e));
    }
    return String(Number(v.toPrecision(4)));
  }

  // From data to pixels along one axis, and the places of its labels.
  function axis(log, [start, end], from, to) {
    const f = log ? Math.log10 : (v) => v;
    const a = f(start), b = f(end);
    const at = (v) => from + ((f(v) - a) / (b - a)) * (to - from);
    return { at, log, low: Math.min(start, end), high: Math.max(start, end), fits: (v) => !log || v > 0 };
  }

  function ticks(scale, most) {
    const { low, high, log } = scale;
    let found = [];
    if (log) {
      const first = Math.ceil(Math.log10(low) - 1e-9), last = Math.floor(Math.log10(high) + 1e-9);
      const step = Math.max(1, Math.ceil((last - first + 1) / most));
      for (let k = first; k <= last; k += step) found.push(10 ** k);
      if (found.length < 2) {
        found = [];
        for (let k = first - 1; k <= last + 1; k++) for (const m of [1, 2, 5]) found.push(m * 10 ** k);
      }
    }
    if (!log || found.filter((v) => v >= low && v <= high).length < 2) {
      const rough = (high - low) / most, size = 10 ** Math.floor(Math.log10(rough));
      const step = [1, 2, 5, 10].map((m) => m * size).find((s) => s >= rough);
      found = [];
      for (let v = Math.ceil(low / step) * step; v <= high + step * 1e-9; v += step) found.push(Number(v.toPrecision(12)));
    }
    return found.filter((v) => v >= low * (log ? 0.999 : 1) - (log ? 0 : 1e-12) && v <= high * (log ? 1.001 : 1) + (log ? 0 : 1e-12));
  }

  const SHAPES = {
    o: (r) => `M ${-r} 0 A ${r} ${r} 0 1 0 ${r} 0 A ${r} ${r} 0 1 0 ${-r} 0 Z`,
    s: (r) => `M ${-r} ${-r} H ${r} V ${r} H ${-r} Z`,
    D: (r) => `M 0 ${-r * 1.2} L ${r * 1.2} 0 L 0 ${r * 1.2} L ${-r * 1.2} 0 Z`,
    d: (r) => `M 0 ${-r * 1.3} L ${r * 0.8} 0 L 0 ${r * 1.3} L ${-r * 0.8} 0 Z`,
    "^": (r) => `M 0 ${-r} L ${r} ${r} L ${-r} ${r} Z`,
    v: (r) => `M 0 ${r} L ${r} ${-r} L ${-r} ${-r} Z`,
    ">": (r) => `M ${r * 1.2} 0 L ${-r} ${-r} L ${-r} ${r} Z`,
    x: (r) => `M ${-r} ${-r} L ${r} ${r} M ${-r} ${r} L ${r} ${-r}`,
    "+": (r) => `M ${-r} 0 H ${r} M 0 ${-r} V ${r}`,
    "|": (r) => `M 0 ${-r * 1.5} V ${r * 1.5}`,
    X: (r) => `M ${-r} ${-r * 0.4} L ${-r * 0.4} ${-r} L 0 ${-r * 0.5} L ${r * 0.4} ${-r} L ${r} ${-r * 0.4} L ${r * 0.5} 0 L ${r} ${r * 0.4} L ${r * 0.4} ${r} L 0 ${r * 0.5} L ${-r * 0.4} ${r} L ${-r} ${r * 0.4} L ${-r * 0.5} 0 Z`,
  };
  SHAPES["*"] = SHAPES.x;

  function mark(line, parent, x, y, r = 3.6) {
    const open = line.hollow || "x+|*".includes(line.marker);
    return make("path", {
      d: (SHAPES[line.marker] || SHAPES.o)(r), transform: `translate(${x} ${y})`, stroke: ink(line.color),
      fill: open ? "var(--paper)" : ink(line.color), "stroke-width": open ? 1.4 : 0.5,
    }, parent);
  }

  function panel(data, width, height, place) {
    const named = Object.entries(data.ticks).filter(([, text]) => text);
    const longest = Math.max(0, ...named.map(([, text]) => text.length));
    const left = named.length ? Math.min(longest * LETTER + 10, width * 0.46) : 46;
    const top = 8 + (data.title ? 16 : 0) + (data.y && !named.length ? 16 : 0), bottom = 22 + (data.x ? 16 : 0), right = 10;
    const svg = make("svg", { viewBox: `0 0 ${width} ${height}`, width, height, tabindex: 0, role: "group" });
    svg.setAttribute("aria-label", `${[data.title, data.y, data.x && `against ${data.x}`].filter(Boolean).join(", ")}; arrow keys go from mark to mark`);
    const x = axis(data.log[0], data.range[0], left, width - right), y = axis(data.log[1], data.range[1], height - bottom, top);
    const clip = `clip-${Math.random().toString(36).slice(2)}`;
    make("rect", { x: left, y: top, width: width - right - left, height: height - bottom - top }, make("clipPath", { id: clip }, svg));
    const behind = make("g", { "clip-path": `url(#${clip})` }, svg);
    for (const s of data.spans || []) {
      const ends = s.ends.map((v) => Math.min(Math.max(x.at(v), left), width - right));
      make("rect", { x: Math.min(...ends), width: Math.abs(ends[1] - ends[0]), y: top, height: height - bottom - top, fill: ink(s.color), "fill-opacity": s.alpha }, behind);
    }
    const label = (v, text, ax, ay, anchor) => make("text", { x: ax, y: ay, "text-anchor": anchor, "font-size": FONT }, svg, text);
    const given = (data.at || []).filter((v) => v >= x.low && v <= x.high);
    const most = Math.max(2, Math.floor((width - left) / 52));
    const wanted = given.length >= 2 ? given : ticks(x, most);
    const every = Math.max(1, Math.ceil(wanted.length / most));
    wanted.forEach((v, i) => {
      make("line", { x1: x.at(v), x2: x.at(v), y1: top, y2: height - bottom, class: "grid-line" }, behind);
      if (i % every === 0) label(v, shown(v), x.at(v), height - bottom + 13, "middle");
    });
    if (named.length) for (const [at, text] of named) {
      const room = Math.floor((left - 8) / LETTER);
      label(at, text.length > room ? text.slice(0, room - 1) + "…" : text, left - 6, y.at(Number(at)) + 4, "end");
    } else for (const v of ticks(y, Math.max(2, Math.floor((height - top - bottom) / 28)))) {
      make("line", { x1: left, x2: width - right, y1: y.at(v), y2: y.at(v), class: "grid-line" }, behind);
      label(v, shown(v), left - 5, y.at(v) + 4, "end");
    }
    make("path", { d: `M ${left} ${top} V ${height - bottom} H ${width - right}`, class: "frame" }, svg);
    if (data.title) make("text", { x: (left + width - right) / 2, y: 13, "text-anchor": "middle", "font-size": FONT + 1 }, svg, data.title);
    if (data.y && !named.length) make("text", { x: 2, y: top - 6, "font-size": FONT, class: "name" }, svg, data.y);
    if (data.x) make("text", { x: (left + width - right) / 2, y: height - 5, "text-anchor": "middle", "font-size": FONT, class: "name" }, svg, data.x);

    const front = make("g", { "clip-path": `url(#${clip})` }, svg);
    for (const a of data.areas) {
      const d = a.x.map((v, i) => (v === null || a.y[i] === null ? "" : `${x.at(v)},${y.at(a.y[i])}`)).filter((p) => p && !p.includes("NaN") && !p.includes("Infinity"));
      if (d.length) make("polygon", { points: d.join(" "), fill: ink(a.color), "fill-opacity": a.alpha || 0.2 }, front);
    }
    for (const l of data.levels || []) {
      const ends = l.upright ? { x1: x.at(l.value), x2: x.at(l.value), y1: top, y2: height - bottom } : { x1: left, x2: width - right, y1: y.at(l.value), y2: y.at(l.value) };
      make("line", { ...ends, stroke: ink(l.color), "stroke-dasharray": DASH[l.dash] || "" }, front);
    }
    for (const a of data.arrows || []) {
      const [x1, x2] = [x.at(a.from[0]) - 5, x.at(a.to[0]) + 6], at = y.at(a.to[1]);
      make("path", { d: `M ${x1} ${y.at(a.from[1])} L ${x2} ${at} m 4 -3 l -4 3 l 4 3`, fill: "none", stroke: "var(--red)" }, front);
    }
    const points = [];
    for (const l of data.lines) {
      let path = "", open = false;
      l.x.forEach((v, i) => {
        const w = l.y[i], sound = v !== null && w !== null && x.fits(v) && y.fits(w);
        if (!sound) { open = false; return; }
        const [px, py] = [x.at(v), y.at(w)];
        path += `${open ? "L" : "M"} ${px} ${py} `;
        open = true;
        if (l.marker || !l.words.length) points.push({ px, py, v, w, line: l });
      });
      if (l.dash !== "none" && path) make("path", { d: path, fill: "none", stroke: ink(l.color), "stroke-width": 1.5, "stroke-dasharray": DASH[l.dash] || "" }, front);
    }
    const above = make("g", {}, svg);
    for (const p of points) if (p.line.marker) p.mark = mark(p.line, above, p.px, p.py);
    for (const t of data.texts || []) {
      // What heads a group of rows begins where their names do, and is cut before the sign in brackets.
      let at = t.inside ? (named.length ? 2 : left + t.x * (width - right - left)) : x.at(t.x) + (t.beside ? 6 : 0);
      const room = Math.floor((width - at) / (LETTER + (t.bold ? 1.2 : 0.6))), [head, sign = ""] = t.text.trim().split(/ (?=\[[^\]]*\]$)/);
      const words = !t.inside || t.text.length <= room ? t.text.trim() : `${head.slice(0, Math.max(4, room - sign.length - 2))}… ${sign}`;
      const anchor = { center: "middle", right: "end" }[t.side] || "start";
      if (anchor === "middle") at = Math.min(at, width - 2 - (words.length * LETTER) / 2);
      make("text", { x: at, y: y.at(t.y) + 4, "text-anchor": anchor, "font-size": FONT, "font-weight": t.bold ? "bold" : "normal", class: "halo" }, svg, words);
    }
    const spoken = points.filter((p) => !named.length || p.line.words.length || p.line.marker);
    listen(svg, spoken, data, place);
    return svg;
  }

  // The words of a mark: under the pointer, and one after the other by the arrow keys.
  function listen(svg, points, data, place) {
    const ring = make("circle", { r: 7, class: "ring", visibility: "hidden" }, svg);
    let chosen = -1;
    const tip = place.querySelector(".tip");
    function show(k) {
      chosen = k;
      const p = points[k];
      ring.setAttribute("cx", p.px);
      ring.setAttribute("cy", p.py);
      ring.setAttribute("visibility", "visible");
      const [words] = p.line.words, name = words || p.line.label || data.title;
      const y = Object.keys(data.ticks).length ? "" : `${data.y || "y"}: ${shown(p.w)}`;
      tip.textContent = [name, `${data.x || "x"}: ${shown(p.v)}`, y].filter(Boolean).join(" · ");
      tip.hidden = false;
      svg.style.cursor = p.line.words[1] ? "pointer" : "default";
      const box = svg.getBoundingClientRect(), host = place.getBoundingClientRect(), scale = box.width / svg.viewBox.baseVal.width;
      const across = Math.min(box.left - host.left + p.px * scale, Math.max(0, host.width - tip.offsetWidth - 4));
      tip.style.left = `${Math.max(0, across)}px`;
      tip.style.top = `${box.top - host.top + p.py * scale + 12}px`;
    }
    function hide() { ring.setAttribute("visibility", "hidden"); tip.hidden = true; chosen = -1; svg.style.cursor = "default"; }
    function follow() { const link = chosen >= 0 && points[chosen].line.words[1]; if (link && document.getElementById(link.slice(1))) location.hash = link; }
    svg.addEventListener("pointermove", (e) => {
      const box = svg.getBoundingClientRect(), scale = svg.viewBox.baseVal.width / box.width;
      const [mx, my] = [(e.clientX - box.left) * scale, (e.clientY - box.top) * scale];
      let best = -1, least = 18 ** 2;
      points.forEach((p, k) => { const far = (p.px - mx) ** 2 + (p.py - my) ** 2; if (far < least) { least = far; best = k; } });
      best < 0 ? hide() : show(best);
    });
    svg.addEventListener("pointerleave", hide);
    svg.addEventListener("blur", hide);
    svg.addEventListener("click", follow);
    svg.addEventListener("keydown", (e) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[e.key];
      if (step && points.length) { e.preventDefault(); show((chosen + step + points.length) % points.length); }
      if (e.key === "Enter") follow();
      if (e.key === "Escape") hide();
    });
  }

  function legend(data) {
    const box = document.createElement("div");
    box.className = "legend";
    const seen = new Set(), drawn = data.panels.flatMap((p) => [...p.lines, ...(p.levels || [])]);
    for (const l of (data.legend || []).length ? data.legend : drawn) {
      if (!l.label || seen.has(l.label)) continue;
      seen.add(l.label);
      const entry = document.createElement("span"), key = make("svg", { width: 26, height: 10, "aria-hidden": "true" });
      if (l.dash !== "none") make("line", { x1: 1, x2: 25, y1: 5, y2: 5, stroke: ink(l.color), "stroke-width": 1.5, "stroke-dasharray": DASH[l.dash] || "" }, key);
      if (l.marker) mark(l, key, 13, 5, 3.4);
      entry.append(key, l.label);
      box.append(entry);
    }
    return box;
  }

  function draw(place) {
    const data = FIGURES[place.dataset.plot], full = place.clientWidth;
    if (!full || full === Number(place.dataset.width)) return;
    const rows = 1 + Math.max(...data.panels.map((p) => p.row)), columns = 1 + Math.max(...data.panels.map((p) => p.column));
    const beside = Math.max(1, Math.min(columns, Math.floor(full / NARROW)));
    const rowed = data.panels.some((p) => Object.keys(p.ticks).length);
    const most = rowed ? full : Math.max(320, data.size[0] * INCH * (columns === 1 ? 1.15 : 1.6));
    const width = Math.floor((Math.min(full, most) - (beside - 1) * 8) / beside);
    const lines = rowed ? Math.abs(data.panels[0].range[1][0] - data.panels[0].range[1][1]) : 0;
    const height = rowed ? Math.round(60 + lines * ROW) : Math.max(170, Math.round((data.size[1] * INCH * (rows > 1 ? 1.15 : 1.05)) / rows));
    const grid = document.createElement("div"), tip = document.createElement("div");
    grid.className = "panels";
    grid.style.gridTemplateColumns = `repeat(${beside}, max-content)`;
    tip.className = "tip";
    tip.hidden = true;
    tip.setAttribute("aria-live", "polite");
    place.replaceChildren(grid, legend(data), tip);
    place.dataset.width = full;
    const kept = beside === columns;
    for (const p of data.panels) {
      if (!p.lines.length && !p.areas.length) continue;
      const cell = document.createElement("div");
      if (kept) { cell.style.gridRow = p.row + 1; cell.style.gridColumn = p.column + 1; }
      grid.append(cell);
      cell.append(panel(p, width, height, place));
    }
    place.dataset.drawn = "true";
  }

  const places = [...document.querySelectorAll("[data-plot]")], near = new Set();
  const watch = new IntersectionObserver((entries) => {
    for (const e of entries) if (e.isIntersecting) { near.add(e.target); draw(e.target); }
  }, { rootMargin: "600px" });
  const all = location.hash === "#draw-all";
  for (const place of places) all ? (near.add(place), draw(place)) : watch.observe(place);
  let waiting;
  addEventListener("resize", () => { clearTimeout(waiting); waiting = setTimeout(() => near.forEach(draw), 150); });

  // A link into a part that is folded opens it; in print everything is open.
  function unfold() {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    for (let e = target; e; e = e.parentElement) if (e.tagName === "DETAILS") e.open = true;
    const next = target.closest("p")?.nextElementSibling;
    if (next?.tagName === "DETAILS" && !target.textContent) next.open = true;
    target.scrollIntoView();
  }
  addEventListener("hashchange", unfold);
  addEventListener("beforeprint", () => { for (const e of document.querySelectorAll("details")) e.open = true; for (const p of places) draw(p); });
  if (location.hash && !all) unfold();

  // On a phone a row of a wide table is a block: each cell stands behind the heading of its column (see page.css).
  for (const table of document.querySelectorAll("table")) {
    const headings = [...table.querySelectorAll("thead tr:last-child th")].map((th) => th.textContent.trim());
    if (headings.length < 4) continue;
    table.classList.add("stacked");
    for (const row of table.querySelectorAll("tbody tr"))
      if (row.cells.length === headings.length)
        [...row.cells].forEach((cell, k) => { if (k && headings[k]) cell.dataset.of = headings[k]; });
  }

  // The keyboard stops at a table only where there is something to scroll.
  function stopAtWide(part) { for (const e of part.querySelectorAll(".wide")) e.tabIndex = e.scrollWidth > e.clientWidth ? 0 : -1; }
  stopAtWide(document);
  addEventListener("resize", () => stopAtWide(document));
  addEventListener("toggle", (e) => stopAtWide(e.target), true);
})();
