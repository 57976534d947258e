// Browsers start no Worker for a local page. There, the search runs in a hidden frame.
if (location.protocol === "file:")
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      const inside = frame.contentWindow;
      inside.postMessage = data => setTimeout(() => this.dispatchEvent(new MessageEvent("message", {data})));
      const script = inside.document.createElement("script");
      const loaded = new Promise(resolve => script.addEventListener("load", resolve));
      script.src = new URL(url, location);
      inside.document.body.append(script);
      this.postMessage = async data => {
        await loaded;
        inside.dispatchEvent(new MessageEvent("message", {data}));
      };
    }
  };
