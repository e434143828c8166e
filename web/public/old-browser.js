// In words that every browser understands: says so where something is missing that the table is built upon.
// (A browser that has toSorted, that is Chrome 110, Firefox 115, Safari 16 or newer, understands our syntax too.)
(function () {
  var able =
    'noModule' in document.createElement('script') &&
    'toSorted' in Array.prototype &&
    'ResizeObserver' in window &&
    'HTMLDialogElement' in window &&
    'animate' in document.documentElement;
  if (able) return;
  document.documentElement.className = 'old';
  document.getElementById('old-browser').hidden = false;
})();
