// Steps through runs: by arrow keys, Home and End, by buttons, or by a click on a step.
"use strict";
(() => {
  const runs = [...document.querySelectorAll(".run")];

  /** Shows what a run has come to after a step; 0 is the start. */
  function show(run, step) {
    const last = Number(run.dataset.steps);
    run.dataset.at = step;
    for (const element of run.querySelectorAll("[data-step]")) {
      const at = Number(element.dataset.step);
      const received = Number(element.dataset.received ?? Infinity);
      element.classList.toggle("later", at > step);
      element.classList.toggle("flying", at <= step && step < received && received !== Infinity);
      element.classList.toggle("now", at === step || received === step);
    }
    for (const band of run.querySelectorAll("[data-band]")) {
      band.classList.toggle("now", Number(band.dataset.band) === step);
    }
    for (const state of run.querySelectorAll("[data-state]")) {
      state.hidden = Number(state.dataset.state) !== step;
    }
    run.querySelector("output").textContent = step === 0 ? "Start" : `Step ${step} of ${last}`;
    bringIntoView(run);
  }

  /** Scrolls a wide picture so that the step is seen. */
  function bringIntoView(run) {
    const figure = run.querySelector("figure");
    const band = run.querySelector(".band.now");
    if (band) {
      const [inner, outer] = [band.getBoundingClientRect(), figure.getBoundingClientRect()];
      if (inner.left < outer.left) figure.scrollLeft -= outer.left - inner.left + inner.width;
      if (inner.right > outer.right) figure.scrollLeft += inner.right - outer.right + inner.width;
    } else {
      figure.scrollLeft = 0;
    }
  }

  /** At first the whole run is shown: the first step follows it, the last comes before it. */
  function go(run, where) {
    const last = Number(run.dataset.steps);
    const at = run.dataset.at === undefined ? undefined : Number(run.dataset.at);
    const target = {
      first: 0,
      last,
      next: at === undefined ? Math.min(1, last) : Math.min(at + 1, last),
      back: at === undefined ? last : Math.max(at - 1, 0),
    }[where];
    show(run, target ?? Number(where));
  }

  /** The run that keys are meant for: the one with the focus, else the one that is looked at. */
  function meant() {
    const focused = document.activeElement?.closest(".run");
    if (focused) return focused;
    const open = runs.filter((run) => run.getClientRects().length > 0);
    const seen = (top, bottom) => open.find((run) => {
      const box = run.getBoundingClientRect();
      return box.top < bottom && box.bottom > top;
    });
    const middle = window.innerHeight / 2;
    return seen(middle, middle) ?? seen(0, window.innerHeight) ?? open[0];
  }

  const keys = { ArrowRight: "next", ArrowLeft: "back", Home: "first", End: "last" };
  document.addEventListener("keydown", (event) => {
    const where = keys[event.key];
    if (!where || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    const run = meant();
    if (!run) return;
    event.preventDefault();
    go(run, where);
  });

  for (const run of runs) {
    run.addEventListener("click", (event) => {
      const button = event.target.closest("[data-go]");
      const step = event.target.closest("li[data-step]");
      if (button) go(run, button.dataset.go);
      else if (step) go(run, step.dataset.step);
    });
  }
})();
