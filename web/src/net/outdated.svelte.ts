/** Whether the server has refused this page because it is of another version. */
export const page = $state({ outdated: false });
