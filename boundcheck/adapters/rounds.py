"""Rounds of flower, FedLab, fluke and PFLlib on the sites of `boundcheck.adapters.torch`.

Each runs the clients and the server that it is given, which are the library's or your own, and yields the server
iterates; nothing here imports a library before it is asked for.
"""

from __future__ import annotations

from importlib import import_module
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from boundcheck.adapters.torch import vector

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from boundcheck.adapters.torch import Array, Site


def flower_rounds(
    sites: Sequence[Site], clients: Sequence[Any], strategy: Any, active: Sequence[Sequence[int]], **config: Any
) -> Iterator[Array]:
    """Yield the iterates of a flower `Strategy` and its `NumPyClient`s, whose `fit` gets `config`; none is sent."""
    common = import_module("flwr.common")
    parameters = strategy.initial_parameters
    yield vector(common.parameters_to_ndarrays(parameters))
    for t, chosen in _start_rounds(sites, active):
        results = []
        for i in chosen:
            arrays, size, metrics = clients[i].fit(common.parameters_to_ndarrays(parameters), dict(config))
            sent = common.ndarrays_to_parameters(arrays)
            results.append((None, common.FitRes(common.Status(common.Code.OK, ""), sent, size, metrics)))
        parameters, _ = strategy.aggregate_fit(t + 1, results, [])
        yield vector(common.parameters_to_ndarrays(parameters))


class _Loaders:
    """The data set of a FedLab trainer: every client has its own loader, and its own loss."""

    def __init__(self, trainer: Any, sites: Sequence[Site]) -> None:
        self._trainer, self._sites = trainer, sites

    def get_dataloader(self, client: int, batch_size: int) -> Any:
        """Return the client's loader, and hand its loss to the trainer."""
        self._trainer.criterion = self._sites[client].loss
        return self._sites[client].loader


def fedlab_rounds(
    sites: Sequence[Site], trainer: Any, handler: Any, active: Sequence[Sequence[int]]
) -> Iterator[Array]:
    """Yield the iterates of a FedLab `SerialClientTrainer` and a server handler whose optimisers have been set up."""
    handler.num_clients = len(sites)
    trainer.setup_dataset(_Loaders(trainer, sites))
    yield vector([handler.model_parameters])
    for _, chosen in _start_rounds(sites, active):
        trainer.local_process(handler.downlink_package, list(chosen))
        for package in trainer.uplink_package:
            handler.load(package)
        yield vector([handler.model_parameters])


def fluke_rounds(
    sites: Sequence[Site], clients: Sequence[Any], server: Any, active: Sequence[Sequence[int]]
) -> Iterator[Array]:
    """Yield the iterates of a fluke `Server` and its clients, which talk through its channel."""
    for client in clients:
        client.set_channel(server.channel)
    yield vector(server.model)
    for _, chosen in _start_rounds(sites, active):
        eligible = [clients[i] for i in chosen]
        server.broadcast_model(eligible)
        for client in eligible:
            client.receive_model()
            client.fit()
            client.send_model()
        server.aggregate(eligible, server.receive_client_models(eligible, state_dict=False))
        yield vector(server.model)


def pfllib_arguments(site: Site, eta: float, **more: Any) -> SimpleNamespace:
    """Return the arguments that PFLlib's clients and servers read from its command line."""
    return SimpleNamespace(
        model=site.model,
        local_learning_rate=eta,
        local_epochs=1,
        batch_size=1,
        device="cpu",
        num_classes=2,
        few_shot=0,
        algorithm="",
        dataset="",
        save_folder_name="",
        **{"learning_rate_decay": False, "learning_rate_decay_gamma": 1.0, **more},
    )


def pfllib_rounds(
    sites: Sequence[Site], clients: Sequence[Any], server: Any, active: Sequence[Sequence[int]]
) -> Iterator[Array]:
    """Yield the iterates of a PFLlib server, made without its data sets, and of its clients."""
    for client, site in zip(clients, sites, strict=True):
        client.loss, client.load_train_data = site.loss, lambda site=site: site.loader
    server.clients, server.num_clients = list(clients), len(clients)
    server.client_drop_rate, server.time_threthold = 0.0, 1e9
    yield vector(server.global_model)
    for _, chosen in _start_rounds(sites, active):
        server.selected_clients = [clients[i] for i in chosen]
        server.num_join_clients = server.current_num_join_clients = len(chosen)
        server.send_models()
        for client in server.selected_clients:
            client.train()
        server.receive_models()
        server.aggregate_parameters()
        yield vector(server.global_model)


def _start_rounds(sites: Sequence[Site], active: Sequence[Sequence[int]]) -> Iterator[tuple[int, Sequence[int]]]:
    """Yield the rounds with their active clients, each begun at every site."""
    for t, chosen in enumerate(active):
        for site in sites:
            site.start(t)
        yield t, chosen
