// Dragging a card onto the table with the mouse, a pen or a finger. A card dropped over the hand goes back.

const FAR = 8; // pixels after which a press counts as a drag

// mayMove() tells whether the card may be dragged; drop() is called when it is dropped on the table.
export function makeDraggable(node, mayMove, drop) {
  let from = null;
  let dragging = false;

  node.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    from = { x: event.clientX, y: event.clientY };
    node.setPointerCapture(event.pointerId); // the first move may already be over another card
  });

  node.addEventListener("pointermove", (event) => {
    if (!event.buttons && !dragging) from = null; // the button was released outside the window
    if (!from) return;
    const x = event.clientX - from.x;
    const y = event.clientY - from.y;
    if (!dragging && Math.hypot(x, y) > FAR && mayMove()) {
      dragging = true;
      node.classList.add("dragged");
    }
    if (dragging) node.style.translate = `${x}px ${y}px`;
  });

  const end = (event) => {
    const dropped = dragging && event.type === "pointerup" && isOut(node, event);
    if (dragging) node.addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => node.removeEventListener("click", swallow, { capture: true }), 0);
    node.classList.remove("dragged");
    if (dropped) drop();
    else node.style.translate = "";
    from = null;
    dragging = false;
  };
  node.addEventListener("pointerup", end);
  node.addEventListener("pointercancel", end);
}

// Is the pointer above the hand?
function isOut(node, event) {
  return event.clientY < node.parentElement.getBoundingClientRect().top;
}

// Ignore the click that follows a drag.
function swallow(event) {
  event.stopPropagation();
  event.preventDefault();
}
