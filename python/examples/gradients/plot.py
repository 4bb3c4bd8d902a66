"""Pictures of the examples."""

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt


def curves_by_iteration(path, curves, label, title):
    """One line for each seed, on a logarithmic axis."""
    figure, axes = plt.subplots(figsize=(6, 3.5))
    for seed, values in enumerate(curves):
        axes.semilogy(values, label=f"seed {seed}", linewidth=1)
    axes.set_xlabel("iteration")
    axes.set_ylabel(label)
    axes.set_title(title)
    axes.grid(alpha=0.3)
    figure.tight_layout()
    figure.savefig(path)
    plt.close(figure)
