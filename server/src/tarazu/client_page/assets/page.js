// Small helps; the page does all that matters without them.
for (const button of document.querySelectorAll("button[data-copy]")) {
  if (!navigator.clipboard) break
  button.hidden = false
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.dataset.copy)
    const label = button.textContent
    button.textContent = button.dataset.done
    setTimeout(() => {
      button.textContent = label
    }, 2000)
  })
}

for (const button of document.querySelectorAll("button[data-print]")) {
  button.hidden = false
  button.addEventListener("click", () => window.print())
}

// A second press while the first is on its way would only be a repetition.
for (const form of document.querySelectorAll("form[data-once]")) {
  form.addEventListener("submit", () => {
    setTimeout(() => {
      for (const button of form.querySelectorAll("button")) button.disabled = true
    })
  })
}

addEventListener("pageshow", (event) => {
  if (!event.persisted) return
  for (const button of document.querySelectorAll("form[data-once] button")) button.disabled = false
})
