// How the search orders its results: pages that teach come before laboratory notes, exact names before all.
var Scorer = {
  objNameMatch: 25,
  objPartialMatch: 4,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
  score: (result) => {
    const [docname, title, , , score] = result;
    // fields of small structures have names that are words: "force", "friction"
    if (/^kinetree\.(?!MjData|MjModel)\w+\.\w+$/.test(title)) return score - 20;
    if (/^(start|guides|concepts|coming-from-mujoco)\//.test(docname)) return score + 10;
    if (docname === "viewer") return score + 5;
    if (docname === "questions") return score - 5;
    return score;
  },
};
