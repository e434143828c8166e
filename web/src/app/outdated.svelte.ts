export const page = $state({
  /** Whether the server has refused this page because it is of another version. */
  outdated: false,
  /** What the tab says instead of the page's title, while the page is hidden. */
  alert: '',
});
