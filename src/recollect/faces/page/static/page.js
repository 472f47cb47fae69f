// Keys, colours, the live story of a session, and plots. Everything can be read without it.
"use strict";

const root = document.documentElement;
const at = (selector, within = document) => within.querySelector(selector);
const all = (selector, within = document) => [...within.querySelectorAll(selector)];

// -- colours ---------------------------------------------------------------------------------------------------------

const THEMES = { "": "like the system", light: "light", dark: "dark" };

function showTheme() {
  const name = root.dataset.theme || "";
  at("#theme").setAttribute("aria-label", `Colours: ${THEMES[name]}`);
  at("#theme span").textContent = name ? `${name[0].toUpperCase()}${name.slice(1)}` : "Colours";
}

function nextTheme() {
  const names = Object.keys(THEMES);
  const name = names[(names.indexOf(root.dataset.theme || "") + 1) % names.length];
  if (name) root.dataset.theme = name;
  else delete root.dataset.theme;
  localStorage.setItem("recollect-theme", name);
  showTheme();
  drawPlots();
}

// -- keys ------------------------------------------------------------------------------------------------------------

const areKeysOn = () => localStorage.getItem("recollect-keys") !== "off";

function showKeys() {
  at("#keys").setAttribute("aria-pressed", String(areKeysOn()));
  at("#keys span").textContent = areKeysOn() ? "Keys on" : "Keys off";
  root.classList.toggle("no-keys", !areKeysOn());
}

function onKey(event) {
  if (event.key === "Escape") all("details.menu[open], details.projects[open]").forEach((menu) => (menu.open = false));
  const isTyping = event.target.closest("input, textarea, select, [contenteditable]");
  if (!areKeysOn() || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  const field = at(`[data-focus="${CSS.escape(event.key)}"]`);
  const found = field || at(`[data-key="${CSS.escape(event.key)}"]`);
  if (!found) return;
  event.preventDefault();
  if (field) field.focus();
  else found.click();
  const opened = found.matches("summary") && at("input:not([type=hidden])", found.parentElement);
  if (opened) setTimeout(() => opened.focus());
}

// -- a session as it happens -------------------------------------------------------------------------------------------

function follow(light) {
  const story = at("#story");
  const stream = new EventSource(light.dataset.live);
  stream.addEventListener("open", () => {
    light.hidden = false;
    at("#gone")?.remove();
  });
  stream.addEventListener("error", () => {
    light.hidden = true;
    tellGone();
  });
  stream.addEventListener("about", (event) => {
    at("#about").innerHTML = event.data;
  });
  stream.addEventListener("steps", (event) => {
    light.textContent = "● live";
    light.classList.remove("over");
    const isAtEnd = window.innerHeight + window.scrollY > document.body.scrollHeight - 120;
    all(".step.waiting", story).forEach((step) => step.remove()); // those that still wait are in the event
    const known = new Set(all("[data-step]", story).map((step) => step.dataset.step));
    const added = document.createElement("template");
    added.innerHTML = event.data; // our own server escaped it
    for (const step of all("[data-step]", added.content)) {
      if (known.has(step.dataset.step)) continue;
      step.classList.add("new");
      story.append(step);
      at("#story-empty").hidden = true;
    }
    if (isAtEnd) window.scrollTo(0, document.body.scrollHeight);
  });
  addEventListener("pagehide", () => stream.close());
}

// -- a server that has ended -------------------------------------------------------------------------------------------

function tellGone() {
  const told = at("#gone") || document.createElement("div");
  told.id = "gone";
  told.className = "flash warn";
  told.setAttribute("role", "alert");
  told.innerHTML = "<p>The server does not answer any more. <code>recollect open</code> starts it again.</p>";
  at("main").prepend(told);
}

// -- plots -------------------------------------------------------------------------------------------------------------

let figures = null;
let drawn = [];
const SERIES = ["--s1", "--s2", "--s3", "--s4", "--s5", "--s6", "--s7"];
const colour = (name, share = 100) => {
  const probe = document.createElement("i");
  probe.className = "probe";
  probe.style.color = `color-mix(in srgb, var(${name}) ${share}%, var(--card))`;
  document.body.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
};
const faint = (name) => colour(name, 18);
const words = (name) => name.replaceAll("_", " ");
const days = () => figures.days.map((day) => Date.parse(`${day}T00:00:00Z`) / 1000);
const utc = (seconds) => new Date(seconds * 1000).toLocaleDateString("en", { day: "numeric", month: "short", timeZone: "UTC" });

// A day without anything has no bar, but the legend says 0.
const bare = (row) => row.map((value) => value || null);
const exact = (row) => (_, __, ___, place) => (place == null ? "" : row[place]);

function bars(label, name, row) {
  return { label, stroke: colour(name), fill: faint(name), width: 1.5, paths: uPlot.paths.bars({ size: [0.6, 40] }), points: { show: false }, value: exact(row) };
}

function curve(label, name, isFilled) {
  return { label, stroke: colour(name), fill: isFilled ? faint(name) : undefined, width: 2, points: { show: false }, spanGaps: true };
}

// Areas on top of each other: each line is the sum of its kind and those below it; the legend says the kind's own number.
function stacked() {
  const rows = Object.entries(figures.growth);
  const sums = rows.map((_, n) => figures.days.map((_, day) => rows.slice(n).reduce((sum, [, row]) => sum + row[day], 0)));
  const series = rows.map(([kind, row], n) => ({
    ...curve(words(kind), SERIES[n]), width: 1.5, fill: colour(SERIES[n], 38), value: exact(row),
  }));
  return [[days(), ...sums], series];
}

// The steps of an axis that counts: no half sessions.
const WHOLE = Array.from({ length: 8 }, (_, power) => [1, 2, 5].map((digit) => digit * 10 ** power)).flat();

const PLOTS = {
  growth: stacked,
  // The bar of all prompts stands behind the one of those that were helped, so that the rest is seen above it.
  hits: () => {
    const [helped, silent] = [figures.told.map((day) => day.hits), figures.told.map((day) => day.silences)];
    const all = helped.map((number, day) => number + silent[day]);
    return [[days(), bare(all), bare(helped)], [bars("told nothing", "--s3", silent), { ...bars("helped", "--s1", helped), fill: colour("--s1", 60) }]];
  },
  told: () => {
    const row = figures.told.map((day) => day.memories);
    return [[days(), bare(row)], [bars("memories", "--s2", row)]];
  },
  sessions: () => {
    const row = figures.sessions.map((session) => session.tokens);
    return [[row.map((_, n) => n + 1), bare(row)], [bars("tokens", "--s4", row)]];
  },
  latency: () => {
    const points = { show: figures.latency.filter(Boolean).length < 15, size: 5 }; // a line of one day is only a point
    const row = (name) => figures.latency.map((day) => day && day[name]);
    return [[days(), row("p50"), row("p95")], [{ ...curve("p50, ms", "--s1", true), points }, { ...curve("p95, ms", "--s5"), points }]];
  },
};

function drawPlots() {
  drawn.forEach((plot) => plot.destroy());
  drawn = [];
  if (!figures) return;
  for (const box of all("[data-plot]")) {
    const [data, series] = PLOTS[box.dataset.plot]();
    const isEmpty = !data[0].length || data.slice(1).every((row) => row.every((value) => !value));
    box.classList.toggle("none", isEmpty);
    box.textContent = isEmpty ? "Nothing yet." : "";
    if (isEmpty) continue;
    const isByDay = box.dataset.plot !== "sessions";
    const [hasBars, step] = [["hits", "told", "sessions"].includes(box.dataset.plot), isByDay ? 86400 : 1];
    const line = { stroke: colour("--line"), width: 1 };
    const axis = { stroke: colour("--soft"), grid: line, ticks: { ...line, size: 4 }, font: "12px system-ui, sans-serif" };
    const options = {
      width: box.clientWidth, height: 210, cursor: { y: false, points: { size: 6 } }, legend: { live: true },
      scales: { x: { time: isByDay, range: (_, low, high) => (hasBars ? [low - step / 2, high + step / 2] : [low, high]) }, y: { range: (_, low, high) => [0, Math.max(1, high * 1.1)] } },
      axes: [{ ...axis, grid: { show: false }, size: 34, ...(isByDay ? { values: (_, ticks) => ticks.map(utc) } : { incrs: WHOLE }), space: 70 }, { ...axis, size: 46, incrs: WHOLE }],
      series: [{ label: isByDay ? "day" : "session", value: (_, value) => (value == null ? "–" : isByDay ? utc(value) : value) }, ...series],
    };
    drawn.push(new uPlot(options, data, box));
  }
}

async function loadPlots(place, triesLeft = 3) {
  const answer = await fetch(place.dataset.figures, { credentials: "same-origin" }).catch(() => ({ ok: false, status: 0 }));
  if (!answer.ok) {
    all("[data-plot]").forEach((box) => (box.textContent = `The figures could not be loaded (${answer.status}).`));
    if (triesLeft) setTimeout(() => loadPlots(place, triesLeft - 1), 2000);
    return;
  }
  figures = await answer.json();
  drawPlots();
  root.dataset.plots = "drawn";
  let later;
  addEventListener("resize", () => {
    clearTimeout(later);
    later = setTimeout(drawPlots, 150);
  });
}

// -- forms -------------------------------------------------------------------------------------------------------------

function growSearch(field) {
  const fit = () => {
    field.style.height = "auto";
    field.style.height = `${Math.min(field.scrollHeight + 2, 240)}px`;
  };
  field.addEventListener("input", fit);
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    field.form.requestSubmit();
  });
  fit();
}

// Ask before leaving a form with words that are not saved.
function guardUnsaved(form) {
  let isChanged = false;
  form.addEventListener("input", () => (isChanged = true));
  form.addEventListener("submit", () => (isChanged = false));
  addEventListener("beforeunload", (event) => isChanged && event.preventDefault());
}

function start() {
  at(".switches").hidden = false;
  at("#theme").addEventListener("click", nextTheme);
  at("#keys").addEventListener("click", () => {
    localStorage.setItem("recollect-keys", areKeysOn() ? "off" : "on");
    showKeys();
  });
  showTheme();
  showKeys();
  document.addEventListener("keydown", onKey);
  document.addEventListener("htmx:sendError", tellGone);
  document.addEventListener("htmx:afterOnLoad", () => at("#gone")?.remove());
  document.addEventListener("click", (event) => {
    for (const menu of all("details.menu[open], details.projects[open]")) if (!menu.contains(event.target)) menu.open = false;
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawPlots);
  const light = at("[data-live]");
  if (light) follow(light);
  const plots = at("[data-figures]");
  if (plots) loadPlots(plots);
  const form = at("form[data-unsaved]");
  if (form) guardUnsaved(form);
  const prompt = at("#q");
  if (prompt) growSearch(prompt);
}

start();
