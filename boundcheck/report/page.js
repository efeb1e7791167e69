// Draws the figures from their numbers when they come into view; the pointer shows the values.
(() => {
  const P = Bokeh.Plotting, INCH = 92, DASH = { solid: [], dashed: [6, 4], dashdot: [6, 3, 1, 3], dotted: [2, 3] };
  const AREA = 0.2;

  function panel(data, width, height) {
    const range = ([start, end]) => new Bokeh.Range1d({ start, end });
    const f = P.figure({
      title: data.title || undefined, width, height, output_backend: "svg",
      x_axis_type: data.log[0] ? "log" : "linear", y_axis_type: data.log[1] ? "log" : "linear",
      x_range: range(data.range[0]), y_range: range(data.range[1]),
      x_axis_label: data.x, y_axis_label: data.y, tools: "pan,box_zoom,reset", toolbar_location: null,
    });
    for (const a of data.areas) f.patch(a.x, a.y, { fill_color: a.color, fill_alpha: a.alpha || AREA, line_color: null });
    const points = [];
    for (const l of data.lines) {
      const source = new Bokeh.ColumnDataSource({ data: { x: l.x, y: l.y, name: l.x.map(() => l.label || data.title) } });
      const ink = { source, line_color: l.color };
      if (l.dash !== "none") f.line({ field: "x" }, { field: "y" }, { ...ink, line_width: 1.6, line_dash: DASH[l.dash] });
      points.push(f.scatter({ field: "x" }, { field: "y" }, {
        source, size: l.marker ? 6 : 7, fill_color: l.color, line_color: l.color, alpha: l.marker ? 1 : 0, hover_alpha: 1,
      }));
    }
    f.add_tools(new Bokeh.HoverTool({ renderers: points, tooltips: [["", "@name"], [data.x || "x", "@x{0,0.[0000]}"], [data.y || "y", "@y{%.3g}"]], formatters: { "@y": "printf" } }));
    const named = Object.entries(data.ticks);
    if (named.length) {
      f.yaxis.ticker = new Bokeh.FixedTicker({ ticks: named.map(([at]) => Number(at)) });
      f.yaxis.major_label_overrides = new Map(named.map(([at, text]) => [Number(at), text]));
    }
    return f;
  }

  function legend(data) {
    const box = document.createElement("div");
    box.className = "legend";
    const seen = new Set();
    for (const l of data.panels.flatMap((p) => p.lines)) {
      if (!l.label || seen.has(l.label)) continue;
      seen.add(l.label);
      const entry = document.createElement("span"), line = document.createElement("i");
      line.style.borderColor = l.color;
      line.style.borderTopStyle = { solid: "solid", none: "dotted", dotted: "dotted" }[l.dash] || "dashed";
      entry.append(line, l.label);
      box.append(entry);
    }
    return box;
  }

  async function draw(place) {
    const data = FIGURES[place.dataset.plot];
    const rows = 1 + Math.max(...data.panels.map((p) => p.row)), columns = 1 + Math.max(...data.panels.map((p) => p.column));
    const width = Math.round((data.size[0] * INCH) / columns), height = Math.max(180, Math.round((data.size[1] * INCH) / rows));
    const grid = document.createElement("div");
    grid.className = "panels";
    grid.style.gridTemplateColumns = `repeat(${columns}, auto)`;
    place.replaceChildren(grid, legend(data));
    for (const p of data.panels) {
      const cell = document.createElement("div");
      cell.style.gridRow = p.row + 1;
      cell.style.gridColumn = p.column + 1;
      grid.append(cell);
      if (p.lines.length || p.areas.length) await P.show(panel(p, width, height), cell);
    }
    place.dataset.drawn = "true";
  }

  const watch = new IntersectionObserver((entries) => {
    for (const e of entries) if (e.isIntersecting) { watch.unobserve(e.target); draw(e.target); }
  }, { rootMargin: "600px" });
  const all = location.hash === "#draw-all";
  for (const place of document.querySelectorAll("[data-plot]")) all ? draw(place) : watch.observe(place);
})();
