// Browsers start no worker for a page that is opened as a file. The search then runs in an empty frame instead.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    #frame = document.createElement("iframe");
    #ready;

    constructor(address) {
      super();
      this.#frame.hidden = true;
      this.#ready = new Promise((done) => {
        this.#frame.addEventListener("load", () => this.#load(address, done), { once: true });
        const append = () => document.body.append(this.#frame);
        if (document.body) append();
        else document.addEventListener("DOMContentLoaded", append);
      });
    }

    #load(address, done) {
      const inside = this.#frame.contentWindow;
      inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      const script = inside.document.createElement("script");
      script.addEventListener("load", done);
      script.src = address;
      inside.document.head.append(script);
    }

    async postMessage(data) {
      await this.#ready;
      this.#frame.contentWindow.dispatchEvent(new MessageEvent("message", { data }));
    }
  };
}
