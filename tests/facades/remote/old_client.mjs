// A client of the first days, kept as it was: it knows four messages, and
// passes over all else. Usage: old_client.mjs URL TOKEN SESSION
const [url, token, session] = process.argv.slice(2);
const socket = new WebSocket(url, ["mm.v1", `bearer.${token}`]);
let cleared = 0;
let lines = [];
const show = (event) => {
  if (event.type !== "message") return;
  const { role, content } = event.message;
  if (role === "user" || role === "assistant") {
    lines.push(`${role}: ${content}`);
  }
};
socket.onmessage = ({ data }) => {
  const message = JSON.parse(data);
  switch (message.type) {
    case "hello":
      socket.send(JSON.stringify({ id: "old-1", type: "attach", session }));
      break;
    case "structured_replay":
      if (message.seq === 0 && message.since === undefined) {
        cleared++;
        lines = [];
      }
      for (const { event } of message.events) show(event);
      if (message.last) console.log("ready");
      break;
    case "event":
      show(message.event);
      if (message.event.type === "titled") socket.close();
      break;
    case "error":
      console.log(`error ${message.message}`);
      break;
  }
};
socket.onclose = () => console.log(JSON.stringify({ cleared, lines }));
