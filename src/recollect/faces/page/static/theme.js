// Runs before the page is drawn, so that the chosen colours do not flash.
"use strict";
(() => {
  const chosen = localStorage.getItem("recollect-theme");
  if (chosen) document.documentElement.dataset.theme = chosen;
})();
