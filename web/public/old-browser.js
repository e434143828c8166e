// Runs only where modules are not understood.
document.getElementById('old-browser').hidden = false;
